"""The options of `evaluate` about where and with how much memory it works, each declared once."""

from typing import Annotated, Any, Final, TypedDict

from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.option import Amount, Option

ENGINES: Final = "plumbline.evaluation.engines.registry:engine_names"


class EngineOptions(TypedDict, total=False):
    """Where parts of an evaluation are scored."""

    engine: Annotated[
        str | None,
        Option(
            help="Score in parts: local reads files block by block, the others use a cluster.",
            group="output",
            choices=ENGINES,
            shown_default="local if the files are larger than half of the memory",
            recorded=False,
        ),
    ]
    memory: Annotated[
        Amount | None,
        Option(
            help="How much memory to use, such as 4GB.",
            group="output",
            metavar="SIZE",
            shown_default="that of the machine",
            recorded=False,
        ),
    ]
    cluster: Annotated[
        Any,
        Option(
            help="The address of the cluster, such as spark://host:7077; or its session or client.",
            group="output",
            metavar="ADDRESS",
            shown_default="the running one, or one on this machine",
            is_data=True,
            recorded=False,
        ),
    ]


class EvaluateAnywhereOptions(EvaluateOptions, EngineOptions, total=False):
    """The options of `evaluate`: what is scored and how, and where."""
