"""One module in C for all versions of Python from 3.11 on; where there is no compiler, the package is empty."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "plumbline_core",
            ["plumbline_core.c", "plumbline_dicts.c", "plumbline_disk.c", "plumbline_labels.c", "plumbline_tags.c"],
            depends=["plumbline_blanks.h", "plumbline_names.h", "plumbline_parts.h"],
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
