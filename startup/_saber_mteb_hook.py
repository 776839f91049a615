"""Registers SABER-Math with mteb as soon as a program imports mteb; standard library only.

A line of `saber_mteb.pth` (Python <= 3.17) or `saber_mteb.start` (Python >= 3.15, PEP 829) calls
`install()` at every start of Python, so this file imports nothing and does nothing until some code
imports mteb, which has no plugin system of its own.
"""

import sys


class _MtebFinder:
    """Answers only for ``mteb``: finds the real module and registers after its body has run."""

    # While we look for the real spec, the search must not come back to us. Python asks finders
    # under one lock, so no other thread can see this True.
    _searching = False

    def find_spec(self, name, path=None, target=None):
        if name != "mteb" or self._searching:
            return None
        from importlib.util import find_spec

        self._searching = True
        try:
            spec = find_spec("mteb")
        finally:
            self._searching = False
        if hasattr(getattr(spec, "loader", None), "exec_module"):
            self._register_after(spec.loader)
        return spec

    def _register_after(self, loader):
        from contextlib import suppress

        run_body = loader.exec_module

        def exec_module(module):
            del loader.exec_module
            run_body(module)
            # Only now, not in find_spec: `python -m mteb` and importlib.util.find_spec("mteb") ask
            # for the spec first and import later.
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                _register()

        with suppress(AttributeError):  # a foreign loader that cannot be wrapped
            loader.exec_module = exec_module


def _register():
    try:
        import saber_mteb

        saber_mteb.register()
    except Exception as error:  # whatever is wrong with us must not break someone's mteb
        _warn(f"saber-mteb could not register its tasks with mteb: {type(error).__name__}: {error}")


def _warn(message):
    import warnings

    try:
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    except RuntimeWarning:  # warnings are errors here
        sys.stderr.write(f"RuntimeWarning: {message}\n")


def install():
    """Wait for ``import mteb``, unless SABER_MTEB_DISABLE_AUTOLOAD is set."""
    from os import environ

    waiting = any(isinstance(finder, _MtebFinder) for finder in sys.meta_path)
    disabled = environ.get("SABER_MTEB_DISABLE_AUTOLOAD", "0") not in ("", "0")
    if not (disabled or waiting or "mteb" in sys.modules):
        sys.meta_path.insert(0, _MtebFinder())
