"""How kernels are compiled and where their machine code is kept.

Three decorators: `step` for the small functions a playout is made of, `phase` for large ones that are called from several
places, and `entry` for the few functions that Python calls. Steps are folded into their callers (measured: twice as fast as
plain calls), which compiles them again in each; phases are compiled once and called. Only entries are kept on disk.

numba checks whether the file of a cached function changed, but not the files of the functions it calls. So entries are
kept in a folder named after a hash of every source they are made of, inside the user's cache directory; a change of any
of them starts a new folder. Other people's numba caches are left where they are.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, ClassVar

import numba
import platformdirs
from numba import config, njit, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import NativeLowering

KERNEL_FOLDER = Path(__file__).parent
GAMES_FOLDER = KERNEL_FOLDER.parent / "games"
NOT_COMPILED = {"reference.py", "plain.py", "coverage.py"}  # the plain twins; what shows which rules come into play
KEEP_UNUSED_SECONDS = 30 * 24 * 3600


def step(function: Callable[..., Any]) -> Any:
    """Compile a function that is always folded into its caller."""
    return _for_all_widths(njit(error_model="numpy", forceinline=True, no_cfunc_wrapper=True)(function))


def _for_all_widths(compiled: Any) -> Any:
    """Compile a function for int64 wherever it is called with booleans or signed whole numbers, also literal ones.

    numba would compile it again for each of their types.
    """
    if not config.DISABLE_JIT:
        template = compiled.get_call_template
        compiled.get_call_template = lambda args, kws: template(tuple(map(_widened, args)), kws)
    return compiled


def _widened(kind: Any) -> Any:
    kind = types.unliteral(kind)
    is_signed = isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind.signed)
    return types.int64 if is_signed else kind


@register_pass(mutates_CFG=False, analysis_only=False)
class _KeepApart(LoweringPass):
    """Forbid LLVM to fold a function into its callers."""

    _name = "keep_apart"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        name = state["cr"].fndesc.llvm_func_name
        state.library._final_module.get_function(name).add_function_attribute("noinline")
        return True


class _PhaseCompiler(CompilerBase):
    """The usual pipeline, and `_KeepApart`."""

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(_KeepApart, NativeLowering)
        pipeline.finalize()
        return [pipeline]


def phase(function: Callable[..., Any]) -> Any:
    """Compile a function that is called as a function: for the large parts of a playout, called from several places."""
    return _for_all_widths(njit(error_model="numpy", pipeline_class=_PhaseCompiler, no_cfunc_wrapper=True)(function))


def loop(function: Callable[..., Any]) -> Any:
    """Fold a function into its caller before typing: one that takes functions as arguments, or a large one called once."""
    return njit(error_model="numpy", inline="always")(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls: it releases the interpreter lock, and is kept on disk."""
    compiled = njit(error_model="numpy", nogil=True)(function)
    if not config.DISABLE_JIT:
        compiled._cache = _OurCache(function)
    return compiled


def sources_of(file: Path) -> list[Path]:
    """The source files that an entry written in `file` is compiled from, sorted."""
    folders = {KERNEL_FOLDER}
    if GAMES_FOLDER in file.parents:
        folders.add(GAMES_FOLDER / file.relative_to(GAMES_FOLDER).parts[0])
    else:
        folders.add(file.parent)
    return sorted(path for folder in folders for path in folder.rglob("*.py") if path.name not in NOT_COMPILED)


@cache
def sources_hash(file: Path) -> str:
    """What the entries of `file` are compiled from, as 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sources_of(file):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def build_hash(file: Path) -> str:
    """What the entries of `file` are compiled from, and how."""
    how = f"{sources_hash(file)} numba {numba.__version__} bounds {config.BOUNDSCHECK} opt {config.OPT}"
    return hashlib.sha256(how.encode()).hexdigest()[:16]


def cache_home() -> Path:
    """Where compiled kernels are kept; `SIMKIT_CACHE` overrides it. A temporary folder where nothing can be written."""
    chosen = os.environ.get("SIMKIT_CACHE")
    home = Path(chosen) if chosen else platformdirs.user_cache_path("simkit") / "kernels"
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except OSError:
        return Path(tempfile.gettempdir()) / "simkit-kernels"


@cache
def cache_folder(file: Path) -> Path:
    """The folder of the compiled entries of `file`. Folders unused for a month are removed on the way."""
    home = cache_home()
    folder = home / build_hash(file)
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for other in home.iterdir():
        if other.is_dir() and time.time() - other.stat().st_mtime > KEEP_UNUSED_SECONDS:
            shutil.rmtree(other, ignore_errors=True)
    return folder


def is_compiled(compiled: Any) -> bool:
    """Whether a call of this entry is likely to start at once: compiled already, or found on disk."""
    if config.DISABLE_JIT or compiled.signatures:
        return True
    name = f"{compiled.py_func.__qualname__}-"
    folder = cache_folder(Path(compiled.py_func.__code__.co_filename))
    return any(name in path.name for path in folder.glob("*.nbi"))


class _Locator(_CacheLocator):
    """Tells numba where an entry is kept and which sources it stands for."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._file = Path(py_file)
        self._line = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_folder(self._file))

    def get_source_stamp(self) -> str:
        return build_hash(self._file)

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _OurCacheImpl(CompileResultCacheImpl):
    _locator_classes: ClassVar[list[type]] = [_Locator]


class _OurCache(FunctionCache):
    _impl_class = _OurCacheImpl


def quiet_wraparound(function: Callable[..., Any]) -> Callable[..., Any]:
    """Run `function` without numpy's overflow warning: 64-bit streams wrap around on purpose when not compiled."""
    import numpy as np

    @wraps(function)
    def quietly(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args, **kwargs)

    return quietly
