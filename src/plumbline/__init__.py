"""plumbline: which system is better, by which measure, and would the verdict survive?

The public names are listed in `__init__.pyi`, once; each is imported when it is first used, so that `import plumbline` is
instant.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
