"""Small files for the commands that are fuzzed: formats that no example of the documentation has."""

from __future__ import annotations

import json
from typing import Any, Final

TEXT: Final = "Ada Lovelace met Bob in Rome."


def _folds(letter: str, items: int) -> str:
    rows = [f"{letter}{n:02},{fold},{'test' if n % 3 == fold else 'train'}" for n in range(1, items + 1) for fold in range(3)]
    return "\n".join(["item,fold,part", *rows, ""])


def _mention(name: str, start: int, length: int) -> dict[str, Any]:
    where = {"offset": start, "length": length}
    return {"id": name, "infons": {"type": "PER"}, "text": "\u00c9va met Bob."[start : start + length], "locations": [where]}


_BIOC: Final = """<collection><document><id>7</id><passage><offset>0</offset><text>\u00c9va met Bob.</text>
<annotation id="1"><infon key="type">PER</infon><infon key="identifier">Q7</infon><location offset="0" length="4"/>
<text>\u00c9va</text></annotation>
<annotation id="2"><infon key="type">PER</infon><location offset="9" length="3"/><text>Bob</text></annotation></passage>
<passage><offset>14</offset><text>In Noir.</text></passage>
<relation id="R"><infon key="type">met</infon><node refid="1" role="a"/><node refid="2" role="b"/></relation></document>
<document><id>8</id><passage><offset>0</offset><text>No.</text></passage></document></collection>
"""
"""Its offsets count bytes."""

MADE: Final[dict[str, str]] = {
    "gold.pubtator": "7|t|Ada met Bob.\n7|a|In Noir.\n7\t0\t3\tAda\tPER\tQ7\n7\t8\t11\tBob\tPER\n7\tmet\tQ7\tQ1\n\n8|t|No.\n",
    "out.pubtator": "7|t|Ada met Bob.\n7|a|In Noir.\n7\t0\t3\tAda\tPER\n7\t16\t20\tNoir\tORG\n\n8|t|No.\n",
    "brat/doc.ann": "T1\tPER 0 12\tAda Lovelace\nT2\tPER 17 20\tBob\nT3\tLOC 24 28\tRome\nR1\tmet Arg1:T1 Arg2:T2\n",
    "brat/doc.txt": TEXT,
    "annotated/doc.ann": "T1\tPER 0 3\tAda\nT2\tLOC 24 28\tRome\n#1\tAnnotatorNotes T1\tno\n",
    "gold.bioc": _BIOC,
    "out.bioc.json": json.dumps(
        {
            "documents": [
                {
                    "id": "7",
                    "passages": [
                        {"offset": 0, "text": "\u00c9va met Bob.", "annotations": [_mention("1", 0, 3), _mention("2", 8, 3)]},
                        {"offset": 13, "text": "In Noir."},
                    ],
                    "relations": [{"infons": {"type": "met"}, "nodes": [{"refid": "1"}, {"refid": "2"}]}],
                },
                {"id": "8", "passages": [{"offset": 0, "text": "No."}]},
            ]
        }
    ),
    "gold.iob": "-DOCSTART- O\n\nAda B-PER\nmet O\nBob B-PER\n\nRome B-LOC\nis O\n",
    "out.iob": "-DOCSTART- O\n\nAda B-PER\nmet I-PER\nBob O\n\nRome B-LOC\nis O\n",
    "fields.json": json.dumps(
        {"a": {"name": "Ada", "born": "1815-12-10", "fields": ["maths", "poetry"]}, "b": {"name": "Bob"}}
    ),
    "filled.jsonl": '{"id": "a", "name": "ada", "born": "10 December 1815", "in": {"city": "Rome"}}\n{"id": "b", "name": 3}\n',
    "table.csv": "case,field,value\na,name,Ada\na,born,1815\nb,name,Bob\n",
    "relations.json": json.dumps({"a": [["Ada", "met", "Bob"], ["Ada", "in", "Rome"]], "b": []}),
    "related.jsonl": '{"id": "a", "relations": [["Ada L", "met", "Bob"]]}\n{"id": "b", "relations": []}\n',
    "triples.csv": "case,head,relation,tail\na,Ada,met,Bob\nb,x,in,y\n",
    "log.csv": "session,case,item,position,clicked,when\n"
    + "".join(f"s{n},q{n % 2},d{(n + p) % 5},{p},{int(n * p % 3 == 0)},2026-03-0{p}\n" for n in range(12) for p in (1, 2, 3)),
    "actions.csv": "session,action,propensity,reward\n"
    + "".join(f"{n // 2},{n % 3},{(0.5, 0.3, 0.2)[n % 3]},{n % 2}\n" for n in range(60)),
    "matrix.csv": "item,ann,ben,eve\na,1,2,1\nb,0,0,1\nc,2,2,2\nd,1,1,0\n",
    "doccano.jsonl": "".join(json.dumps({"id": n, "text": "t", "label": ["ab"[n % 2]]}) + "\n" for n in range(6)),
    "ben.jsonl": "".join(json.dumps({"id": n, "text": "t", "label": ["ab"[n % 3 == 0], "c"]}) + "\n" for n in range(6)),
    "studio.json": json.dumps(
        [
            {
                "id": n,
                "data": {"text": "t"},
                "annotations": [
                    {
                        "completed_by": w,
                        "result": [{"type": "choices", "from_name": "c", "value": {"choices": ["abc"[n % (w + 1)]]}}],
                    }
                    for w in (1, 2)
                ],
            }
            for n in range(5)
        ]
    ),
    "folds.csv": _folds("t", 60),
    "mail_folds.csv": _folds("m", 12),
    "known.csv": "item,label\nm1,spam\nm2,ham\n",
    "pool.jsonl": '{"case": "t1", "item": "d01"}\n{"case": "t1", "item": "d02"}\n{"case": "t2", "item": "d03"}\n',
    "plan.toml": '[[part]]\ntitle = "One"\ngold = "qrels.txt"\nsystems = ["bm25.run", "dense.run"]\nmetrics = ["AP"]\n',
    "labels.jsonl": '{"id": "x", "label": "a"}\n{"id": "y", "label": "b"}\n{"id": "z", "label": "a"}\n',
    "corpus.conllu": "# newdoc id = s\n# global.Entity = eid-etype-head-other\n"
    "1\tAnn\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person-1-)\n"
    "2\tmet\t_\t_\t_\t_\t_\t_\t_\t_\n3\ther\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person-1-)\n\n",
}
