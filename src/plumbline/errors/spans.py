"""Problems with spans, tags and the texts that they are about."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import option, switch
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E600", "A word is not a tag")
def bad_tag(place: Place, tag: str) -> Message:
    """The last column of a file of tags has `O`, or a letter of B, I, E, S, L and U, a hyphen and the type: `B-PER`."""
    return Message(
        f"{tag!r} is not a tag: a tag is O, or a letter such as B or I, a hyphen and a type",
        place,
        "put the tag in the last column, such as B-PER",
    )


@diagnostic("E601", "A span has no type")
def no_type(place: Place) -> Message:
    """Spans are compared by their type, so an empty one is an error and not a type of its own."""
    return Message("the span has no type", place, "give it one, such as PER, or leave the span out")


@diagnostic("E602", "A scheme does not have this tag")
def foreign_tag(place: Place, tag: str, scheme: str, letters: str) -> Message:
    """Each scheme has its own letters: IOB has B and I, IOBES also E and S, BILOU has L and U for these."""
    return Message(
        f"{tag!r} is not of the scheme {scheme}, whose letters are {listing(list(letters), 8)}",
        place,
        f"choose another {option('scheme')}, or leave it out to read tags of any scheme",
    )


@diagnostic("E603", "Offsets of a span are wrong")
def bad_offsets(place: Place, reason: str, help_: str = "") -> Message:
    """A span starts at its first character or token, counted from 0, and ends before the next one: `0, 5` is the first five.

    Offsets of other programs may count bytes, or the units of UTF-16 as JavaScript and Java do: then they are too large after
    the first letter with an accent, or after the first emoji.
    """
    return Message(reason, place, help_ or "count characters from 0; the end is the number of the first one after the span")


@diagnostic("E604", "The text of a span does not match")
def other_text(place: Place, wanted: str, actual: str, hint: str) -> Message:
    """A file that repeats the text of each span must repeat what stands at its offsets; otherwise these are wrong."""
    return Message(f"the text of the span is given as {wanted!r}, but its offsets contain {actual!r}", place, hint)


@diagnostic("E605", "Gold and output are about different texts")
def different_texts(place: Place, case: str, gold: str, output: str) -> Message:
    """Offsets can be compared only if they are about the same text.

    Another tokenisation, another normalisation of Unicode, other line ends or another order of documents make all spans after
    the difference wrong.
    """
    return Message(
        f"document {case} is another text than in the gold: {output} here, {gold} there",
        place,
        "write the output for the text of the gold: the same tokens, the same characters, in the same order",
    )


@diagnostic("E606", "A document cannot be read")
def bad_document(place: Place, reason: str) -> Message:
    """A document is an object with its text and its spans, as Prodigy, spaCy and doccano write them, or a list of spans."""
    return Message(
        reason, place, 'expected {"id": "a", "text": "Ada left.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}'
    )


@diagnostic("E607", "A line of brat cannot be read")
def bad_annotation(place: Place, reason: str) -> Message:
    """A span of brat is a line `T1<tab>PER 0 3<tab>Ada`; one in pieces is `T1<tab>PER 0 3;10 14<tab>Ada King`.

    An attribute is `A1<tab>Negation T1` or `A1<tab>Certainty T1 low`, a relation `R1<tab>met Arg1:T1 Arg2:T2`.
    """
    return Message(reason, place, "expected T1<tab>PER 0 3<tab>Ada, A1<tab>Negation T1 or R1<tab>met Arg1:T1 Arg2:T2")


@diagnostic("E609", "A line of PubTator cannot be read")
def bad_article(place: Place, reason: str) -> Message:
    """An article is a line `1|t|Title`, a line `1|a|Abstract`, and a line `1<tab>0<tab>5<tab>Title<tab>Type` for each span."""
    return Message(reason, place, "expected 1|t|Title, 1|a|Abstract or 1<tab>0<tab>5<tab>Title<tab>Type")


@diagnostic("E608", "Metrics of spans need spans")
def not_spans(label: str, kind: str) -> Message:
    """Gold and outputs of the task `extraction` are spans: offsets in a document, with a type."""
    return Message(
        f"{label}: {kind} has no spans",
        None,
        "give lists of tags, {document: [(start, end, type)]}, a table with case, start, end and label, or a file",
    )


@diagnostic("E610", "Offsets of gold and output count different things")
def other_units(place: Place, reason: str, gold: str) -> Message:
    """Offsets in files of tags count tokens; those in tables, JSON and brat count characters."""
    return Message(f"{reason} ({gold})", place, "write both in one format")


@diagnostic("E611", "A threshold of overlap would change nothing")
def idle_threshold(metric: str, match: str) -> Message:
    """`iou` says how much of a span must overlap; only `match=overlap` looks at it."""
    return Message(
        f"{metric}: the threshold iou changes nothing where spans match by {match}",
        None,
        "leave it out, or write P(match=overlap,iou=0.5)",
    )


@diagnostic("E612", "Positions have no verdicts")
def no_verdicts(metric: str) -> Message:
    """With `match=positions` tokens or characters are counted, not spans, so no span is wrong, missing or spurious."""
    return Message(
        f"{metric} counts spans, and positions are tokens or characters",
        None,
        "choose another way of matching, such as P(match=partial)",
    )


@diagnostic("E616", "Nothing of what was chosen can be in this file")
def no_annotations(label: str, kind: str, wanted: str) -> Message:
    """Files that annotate spans, such as those of brat, have attributes and relations; lists of triples are relations, too."""
    return Message(
        f"it has {kind}, and only {wanted} are scored",
        Place(label),
        f"leave {option('annotations')} out, or give a file with {wanted}",
    )


@diagnostic("E617", "BioC cannot be read")
def bad_bioc(place: Place, reason: str) -> Message:
    """Documents have ids and passages, these have offsets and texts, and annotations have types and locations."""
    return Message(reason, place, "expected documents, passages and annotations as BioC writes them, in XML or JSON")


@diagnostic("N600", "Spans begin with I-")
def starts_inside(label: str, count: int, line: int) -> Message:
    """In IOB2 every span begins with B-.

    An I- after O, or after another type, is read as the beginning of a span, as conlleval does. `--scheme IOB2`
    leaves such spans out, as seqeval does in its strict mode.
    """
    return Message(
        f"{plural(count, 'span')} {'begins' if count == 1 else 'begin'} with I- although others begin with B-, "
        f"first in line {line}: read as the beginning of a span",
        Place(label),
        f"{option('scheme', 'IOB2')} leaves them out",
    )


@diagnostic("N601", "Tags that no span has")
def tags_left_out(label: str, count: int, line: int, scheme: str) -> Message:
    """By the rules of the scheme these tags do not make a span, so they are left out, as seqeval does in its strict mode."""
    return Message(
        f"{plural(count, 'tag')} left out that {'makes' if count == 1 else 'make'} no span by the rules of {scheme}"
        + (f", first in line {line}" if line else ""),
        Place(label),
        f"leave {option('scheme')} out to read them all the same",
    )


@diagnostic("N602", "A span occurs twice")
def repeated_spans(place: Place, count: int) -> Message:
    """A span of the same document, offsets and type counts once, however often it is written."""
    rule = "repeats an earlier one, and counts once" if count == 1 else "repeat earlier ones, and count once"
    return Message(f"{plural(count, 'span')} {rule}", place)


@diagnostic("N603", "Documents are averaged")
def document_means(documents: int) -> Message:
    """Each document gets its own scores, of which the mean is shown, so that documents can be compared one by one.

    Programs such as seqeval and conlleval count the spans of all documents together: `--pooled` does that.
    """
    return Message(
        f"means over {plural(documents, 'document')}, which all have the same weight",
        None,
        f"{switch('pooled')} counts the spans of all documents together, as seqeval does",
    )


@diagnostic("N604", "Documents without rows")
def documents_without_rows(label: str, cases: list[str], total: int) -> Message:
    """A table of spans does not list documents without spans, so a document that has no row counts as one of them."""
    return Message(
        f"{len(cases)} of {plural(total, 'document')} {'has' if len(cases) == 1 else 'have'} no row ({listing(cases, 3)}): "
        "counted as without spans",
        Place(label),
    )


@diagnostic("N605", "Sentences are the cases")
def sentences_as_cases(label: str, count: int) -> Message:
    """A file of tags without lines `-DOCSTART-` does not say which sentences belong to one document."""
    return Message(f"no -DOCSTART- lines: each of the {plural(count, 'sentence')} is a case", Place(label))


@diagnostic("N606", "Annotations that are not spans")
def unread_annotations(label: str, counts: list[str], scored: str) -> Message:
    """The scores are about spans and their types, or about their attributes, or about the relations between them."""
    return Message(
        f"left out, since only {scored} are scored: {listing(counts)}",
        Place(label),
        f"{option('annotations')} chooses spans, attributes or relations",
    )


@diagnostic("N607", "A span is in pieces")
def in_pieces(label: str, count: int) -> Message:
    """A span with a gap is read as one stretch from its first to its last character, in the gold and in outputs alike."""
    return Message(f"{plural(count, 'span')} in pieces, read as one stretch from the first piece to the last", Place(label))


@diagnostic("N609", "Offsets are converted to characters")
def converted_offsets(label: str, unit: str) -> Message:
    """A file that repeats the text of each span shows what its offsets count: the texts must be found at them.

    If all of them stand at offsets in bytes of UTF-8, or in units of UTF-16, and not in characters, the offsets are converted.
    A file whose spans do not repeat their texts, or do not all agree, is refused.
    """
    return Message(f"offsets count {unit}, as the texts of the spans show: converted to characters", Place(label))


@diagnostic("N608", "Types are compared as attributes")
def types_as_attributes(label: str) -> Message:
    """Most formats of spans have types and no attributes; an output in such a format says by the type which attribute it is."""
    return Message(
        "this format has no attributes: the types of its spans count as such",
        Place(label),
        f"leave {option('annotations')} out if they are types",
    )
