"""explain(): what a diagnostic code means."""

from __future__ import annotations

import inspect

from plumbline.errors import BadUsage, explanations, usage


def explain(code: str) -> str:
    """What a diagnostic code such as E104 means, and what to do about it.

    Args:
        code: The code, as printed before a message; the case of its letter does not matter.

    Returns:
        The title of the diagnostic and its explanation.

    Raises:
        BadUsage: No diagnostic has the code.

    Example:
        >>> import plumbline
        >>> print(plumbline.explain("E310"))
        E310  An extra package is needed
        <BLANKLINE>
        Rarely needed packages are extras, so that the installation stays small.
    """
    known = explanations()
    if code.upper() not in known:
        raise BadUsage(usage.unknown_code(code, list(known)))
    title, text = known[code.upper()]
    return f"{code.upper()}  {title}\n\n{inspect.cleandoc(text)}"
