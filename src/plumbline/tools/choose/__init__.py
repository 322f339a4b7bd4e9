"""Which metrics fit a task: questions about the use of its output, and the advice that follows from the answers."""

from plumbline.tools.choose.advice import Advice
from plumbline.tools.choose.choose import choose
from plumbline.tools.choose.questions import QUESTIONS, Answer, Question

__all__ = ["QUESTIONS", "Advice", "Answer", "Question", "choose"]
