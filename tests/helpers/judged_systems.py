"""Three systems, a judge, and another judge who prefers the contrary."""

from __future__ import annotations

GOLD = {f"q{i}": {"a": 2, "b": 1, "c": 0, "d": 0} for i in range(12)}
OTHER = {f"q{i}": {"a": 0, "b": 0, "c": 1, "d": 2} for i in range(12)}
SYSTEMS = {
    "good": {f"q{i}": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0} for i in range(12)},
    "poor": {f"q{i}": {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0 - (i == 3) * 3.5} for i in range(12)},
    "middle": {f"q{i}": {"a": 3.0, "b": 4.0 - i % 2 * 2.5, "c": 2.0, "d": 1.0 + i % 3} for i in range(12)},
}
