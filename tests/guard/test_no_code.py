"""Nothing that a user supplies is ever run: the ways to do that are not in the code."""

import ast
from collections.abc import Iterator

import pytest

from tests.test_rooms import modules

MODULES = {
    "pickle",
    "cPickle",
    "_pickle",
    "marshal",
    "shelve",
    "dill",
    "cloudpickle",
    "yaml",
    "code",
    "codeop",
    "ctypes",
    "runpy",
}
CALLS = {"eval", "exec", "compile", "__import__", "input"}
METHODS = {
    "read_pickle", "to_pickle", "from_string", "popen", "unsafe_load", "full_load", "execfile", "literal_eval", "fromfile",
    "read_hdf", "deserialize", "system",
}  # fmt: skip
LOADERS = {("joblib", "load"), ("np", "load"), ("numpy", "load"), ("torch", "load"), ("pd", "eval"), ("os", "execv")}
ALLOWED = {"answers/cluster.py": {"pickle"}}  # simkit plan measures what sending takes, with what it has played itself
FLAGS = {"shell", "allow_pickle"}


def dangers(source: str) -> Iterator[str]:
    """Whatever could run or unpickle data, in the order of the syntax tree."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name.split(".")[0] in MODULES)
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] in MODULES:
                yield module
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield name
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (owner, name) in LOADERS:
                yield f"{owner}.{name}"
            case ast.Attribute(attr=name) if name in METHODS:
                yield name
            case ast.keyword(arg=str(name), value=value) if name in FLAGS and not (
                isinstance(value, ast.Constant) and value.value is False
            ):
                yield name


def test_nothing_in_simkit_runs_what_a_file_says() -> None:
    for path, room in modules():
        found = set(dangers(path.read_text(encoding="utf-8")))
        assert found == ALLOWED.get(f"{room}/{path.name}", set()), path


@pytest.mark.parametrize(
    "source",
    ["import pickle", "from yaml import load", "eval(x)", "exec(x)", "pd.read_pickle(p)", "joblib.load(p)", "np.load(p)",
     "run(x, shell=True)", "np.load(p, allow_pickle=y)", "os.system(x)", "environment.from_string(x)", "import os, marshal"],
)  # fmt: skip
def test_the_test_finds_what_it_looks_for(source: str) -> None:
    assert list(dangers(source))
