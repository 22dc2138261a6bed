# SPDX-License-Identifier: BSD-2-Clause
"""The report of a grade in Gradescope's form, results.json.

https://gradescope-autograders.readthedocs.io/en/latest/specs/ defines the form. The report holds no
time and no path, so that equal hand-ins have equal reports.
"""

import json

from mcpi.grading.grade import Grade, Judged


def text(grade: Grade) -> str:
    """The report as JSON."""
    tests = [_test(n, one) for n, one in enumerate(grade.parts, 1)]
    return (
        json.dumps(
            {
                "score": grade.points,
                "output": grade.words or f"{grade.lab.title}: graded.",
                "output_format": "text",
                "test_output_format": "text",
                "visibility": "visible",
                "stdout_visibility": "hidden",
                "tests": tests,
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n"
    )


def _test(number: int, one: Judged) -> dict[str, object]:
    return {
        "score": one.points,
        "max_score": one.part.points,
        "status": "passed" if one.points else "failed",
        "name": one.part.name,
        "number": str(number),
        "output": one.words,
    }
