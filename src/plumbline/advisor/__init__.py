"""Which metric fits: questions about the task and the use of its output, and the advice that the answers lead to."""

from plumbline.advisor.advice import Advice
from plumbline.advisor.choosing import choose
from plumbline.advisor.questions import QUESTIONS, Answer, Question

__all__ = ["QUESTIONS", "Advice", "Answer", "Question", "choose"]
