"""Which metric fits: questions about the task and the use of its output, and the advice that the answers lead to."""

from plumbline.tools.choose.advice import Advice
from plumbline.tools.choose.choose import choose
from plumbline.tools.choose.questions import QUESTIONS, Answer, Question

__all__ = ["QUESTIONS", "Advice", "Answer", "Question", "choose"]
