"""A cluster leaves no trace in any file, loses nothing with a worker, and says in one line what is wrong with it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from simkit import api
from simkit.answers.cluster import TASK_SECONDS
from simkit.cli import run as simkit
from simkit.engine import cluster, execute
from simkit.engine.workers import Several
from simkit.errors import Interrupted, OptionError, RunError
from simkit.store import Run
from tests.conftest import PROJECT
from tests.contract.test_same_rows import StopsAfter, bytes_of

KEYS = {"AWS_ACCESS_KEY_ID": "anyone", "AWS_SECRET_ACCESS_KEY": "anything", "AWS_DEFAULT_REGION": "us-east-1"}


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def wait_for(what: Callable[[], object], seconds: float = 60) -> None:
    start = time.monotonic()
    while not what():
        assert time.monotonic() - start < seconds
        time.sleep(0.05)


def listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


class Processes:
    """A scheduler and its workers on this machine, as on many: processes that know each other by address."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, os.environ | {"PYTHONPATH": str(PROJECT)} | environment
        port = free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self.started = [self.dask("scheduler", "--host", "127.0.0.1", "--port", str(port))]
        wait_for(lambda: listens(port))

    def dask(self, *args: str, **environment: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *args, "--no-dashboard"],
            env=self.environment | environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def worker(self, **environment: str) -> "subprocess.Popen[bytes]":
        args = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", str(self.folder))
        started = self.dask("worker", self.address, *args, **environment)
        self.started.append(started)
        return started

    def end(self) -> None:
        for process in reversed(self.started):
            process.kill()
            process.wait(timeout=20)


@contextmanager
def processes(folder: Path, workers: int, **environment: str) -> Iterator[Processes]:
    made = Processes(folder, environment)
    try:
        for _ in range(workers):
            made.worker()
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def objects() -> Iterator[str]:
    """The address of a server that keeps objects as S3 does."""
    port = free_port()
    code = f"from moto.server import main; main(['-H', '127.0.0.1', '-p', '{port}'])"
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: listens(port))
    yield f"http://127.0.0.1:{port}"
    server.kill()
    server.wait(timeout=20)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, objects: str) -> Iterator[str]:
    """The scheduler of a cluster of two workers."""
    with processes(tmp_path_factory.mktemp("cluster"), 2, **KEYS, AWS_ENDPOINT_URL=objects) as made:
        yield made.address


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> api.Question:
    """Two cells on the same deals, in three parts, and a few deals replayed."""
    monkeypatch.setattr("simkit.engine.plan.PART", 256)
    monkeypatch.setattr("simkit.engine.replays.FEWEST", 8)
    return question(700)


@pytest.fixture
def longer(monkeypatch: pytest.MonkeyPatch) -> api.Question:
    """The same in twenty parts, a few seconds of work."""
    monkeypatch.setattr("simkit.engine.plan.PART", 20_000)
    return question(400_000)


def question(playouts: int) -> api.Question:
    path = Path("question.toml")
    path.write_text(
        f'game = "propuh"\nplayouts = {playouts}\nseed = 4\n[grid]\nplayers = 2\n'
        'policies = {granny = "random", propuh = "random"}\noptions = {failed_counter = ["stays", "discarded"]}\n'
    )
    return api.question(str(path))


def fails(expected: str, call: Callable[[], object]) -> None:
    with pytest.raises((RunError, OptionError), match=expected) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("tally_only", [True, False])
@pytest.mark.parametrize("workers_write", [False, True])
def test_a_cluster_leaves_no_trace(
    asked: api.Question, two: str, tally_only: bool, workers_write: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "SAMPLE_ROWS", 300)
    here = api.run(asked, out="here", jobs=2, tally_only=tally_only)
    there = api.run(
        asked, out="there", backend="dask", scheduler=two, tally_only=tally_only, workers_write=workers_write
    )
    assert bytes_of(Path("here")) == bytes_of(Path("there"))
    incidental = {"times", "command", "created"}
    assert {k: v for k, v in here.manifest.items() if k not in incidental} == {
        k: v for k, v in there.manifest.items() if k not in incidental
    }
    assert here.manifest["parts"]
    assert all(api.verify("there", 20))


@pytest.mark.parametrize("workers_write", [False, True])
def test_the_driver_writes_the_files_unless_the_workers_do(
    asked: api.Question, two: str, workers_write: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    real = Run.write_part

    def noted(self: Run, table: str, *args: object) -> object:
        written.append(table)
        return real(self, table, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Run, "write_part", noted)
    api.run(asked, out="run", backend="dask", scheduler=two, workers_write=workers_write)
    assert sorted(set(written)) == ([] if workers_write else ["players", "playouts", "tallies"])


def test_a_part_that_takes_a_worker_long_travels_in_work_units(
    asked: api.Question, two: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "PART_SECONDS", 0)
    monkeypatch.setattr(execute, "whole_parts", None)
    here = api.run(asked, out="here", jobs=1)
    there = api.run(asked, out="there", backend="dask", scheduler=two, workers_write=True)
    assert bytes_of(Path(here.folder)) == bytes_of(Path(there.folder))


@pytest.mark.soak
@pytest.mark.parametrize("tally_only", [True, False])
def test_a_cluster_on_one_machine_takes_little_longer_than_threads(two: str, tally_only: bool) -> None:
    """12 million playouts on two workers, by threads and as a cluster; `pytest -s` shows the seconds."""
    ways: dict[str, dict[str, Any]] = {
        "threads": {"jobs": 2},
        "dask": {"backend": "dask", "scheduler": two},
        "dask, workers write": {"backend": "dask", "scheduler": two, "workers_write": True},
    }
    api.run(question(200_000), out="warm", backend="dask", scheduler=two)
    seconds = {}
    for name, how in ways.items():
        start = time.monotonic()
        api.run(question(6_000_000), out=name, tally_only=tally_only, **how)
        seconds[name] = time.monotonic() - start
    print(f"\n{'counts' if tally_only else 'rows'}:", ", ".join(f"{name} {s:.1f} s" for name, s in seconds.items()))
    assert bytes_of(Path("threads")) == bytes_of(Path("dask")) == bytes_of(Path("dask, workers write"))
    assert max(seconds.values()) < 1.5 * seconds["threads"]


@pytest.mark.soak
def test_a_task_costs_what_the_plan_supposes(two: str) -> None:
    with cluster.Cluster(two) as workers:
        workers.check("propuh")
        start = time.monotonic()
        done = sum(1 for _ in workers.play(Several((len,)) for _ in range(2000)))
        each = (time.monotonic() - start) / 2000
    print(f"\n{1000 * each:.2f} ms for a task")
    assert done == 2000
    assert each < 2 * TASK_SECONDS


def test_a_run_is_continued_on_a_cluster(asked: api.Question, two: str) -> None:
    with pytest.raises(Interrupted):
        api.run(asked, out="run", backend="dask", scheduler=two, progress=StopsAfter(2), unit_playouts=50)
    assert not Run.read("run").is_complete
    api.run(asked, out="run", backend="dask", scheduler=two, resume=True)
    assert simkit(["extend", "run", "--playouts", "900", "--backend", "dask", "--scheduler", two]) == 0
    api.run(api.Question(asked.recipe, 900), out="long", jobs=1)
    assert bytes_of(Path("run")) == bytes_of(Path("long"))


def test_a_run_at_an_address_is_that_of_a_folder(
    asked: api.Question, two: str, objects: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import s3fs

    for name, value in (KEYS | {"AWS_ENDPOINT_URL": objects}).items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    store = s3fs.S3FileSystem(use_listings_cache=False)
    store.mkdir("lab")
    address = "s3://lab/run"
    fails("the specified bucket does not exist", lambda: api.run(asked, out="s3://another/run", jobs=1))
    api.run(asked, out=address, backend="dask", scheduler=two)
    api.run(asked, out="here", jobs=1)
    names = [name.removeprefix("lab/run/") for name in store.find("lab/run")]
    expected = {path.relative_to("here").as_posix() for path in Path("here").rglob("*") if path.is_file()}
    assert set(names) == expected - {".lock"}
    for name in bytes_of(Path("here")):
        assert store.cat_file(f"lab/run/{name}") == (Path("here") / name).read_bytes(), name

    # who reads it
    assert api.cells(address).equals(api.cells("here"))
    assert len(list(api.verify(address, 5))) == 8
    assert simkit(["replay", address, "--playout", "600"]) == 0
    story = capsys.readouterr().out
    assert simkit(["replay", "here", "--playout", "600"]) == 0
    assert story == capsys.readouterr().out
    assert simkit(["report", address, "--out", "report"]) == 0
    assert simkit(["report", "here", "--out", "report-here"]) == 0
    assert bytes_of(Path("report")) == bytes_of(Path("report-here"))
    fails("--out FOLDER", lambda: api.report(address))
    fails("aws s3 sync s3://lab/run FOLDER", lambda: api.export(address, Path("rows.csv")))
    assert api.export(address, Path("counts.csv"), "cells") == 2

    # who goes on with it: what is damaged or gone is played again
    store.pipe_file("lab/run/playouts/cell=0000/part-00001.parquet", b"short")
    store.rm("lab/run/tallies/cell=0001/part-00002.parquet")
    fails("part-00001.parquet: does not have its checksum", lambda: list(api.verify(address)))
    store.pipe_file("lab/run/.lock", b'{"host": "elsewhere", "process": 7}')
    fails("process 7 on elsewhere is writing .* remove s3://lab/run/.lock", lambda: api.extend(address, 900, jobs=1))
    store.rm("lab/run/.lock")
    api.extend(address, 900, jobs=2)
    api.extend("here", 900, jobs=1)
    for name in bytes_of(Path("here")):
        assert store.cat_file(f"lab/run/{name}") == (Path("here") / name).read_bytes(), name
    assert not store.exists("lab/run/.lock")


def test_a_killed_worker_loses_nothing(longer: api.Question, tmp_path: Path) -> None:
    whole = api.run(longer, out="whole", jobs=2, tally_only=True)
    with processes(tmp_path, 1) as made:
        killed = made.worker()

        def kill() -> None:
            wait_for(lambda: Path("broken/tallies").is_dir())
            killed.send_signal(signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        run = api.run(longer, out="broken", backend="dask", scheduler=made.address, tally_only=True)
        killer.join()
        assert killed.wait(timeout=10) == -signal.SIGKILL
        assert bytes_of(Path(run.folder)) == bytes_of(Path(whole.folder))


def test_without_workers_or_scheduler_a_run_ends_and_is_resumed(
    longer: api.Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 2.0)

    class Kills(StopsAfter):
        def __init__(self, victim: "subprocess.Popen[bytes]") -> None:
            self.victim = victim

        def advance(self, playouts: int) -> None:
            self.victim.kill()

    def play(victim: "subprocess.Popen[bytes]") -> object:
        return api.run(
            longer, out="run", backend="dask", scheduler=made.address, resume=True, tally_only=True,
            progress=Kills(victim),
        )  # fmt: skip

    with processes(tmp_path, 0) as made:
        fails("no workers for 2 seconds; start some", lambda: play(made.started[0]))
        assert not Path("run").exists()
        only = made.worker()
        wait_for(lambda: count(made.address))
        fails("no workers for 2 seconds; what is played is kept, continue with --resume", lambda: play(only))
        first = len(Run.read("run").committed())
        made.worker()
        wait_for(lambda: count(made.address))
        fails("scheduler was lost; .* --resume|no workers for 2 seconds", lambda: play(made.started[0]))
    assert len(Run.read("run").committed()) >= first
    api.run(longer, out="run", resume=True, tally_only=True)
    api.run(longer, out="whole", tally_only=True)
    assert bytes_of(Path("run")) == bytes_of(Path("whole"))


def count(address: str) -> int:
    import distributed

    with distributed.Client(address, set_as_default=False) as client:
        return len(client.nthreads())


def test_other_sources_on_a_worker_are_refused(tmp_path: Path, asked: api.Question) -> None:
    other = tmp_path / "other"
    shutil.copytree(PROJECT / "simkit", other / "simkit", ignore=shutil.ignore_patterns("__pycache__"))
    with open(other / "simkit" / "games" / "propuh" / "moves" / "setup.py", "a") as file:
        file.write("# another line\n")
    with processes(tmp_path, 0) as made:
        made.worker(PYTHONPATH=str(other))
        wait_for(lambda: count(made.address))
        expected = "tcp://127.0.0.1:[0-9]+: the sources of propuh are not as on this machine"
        fails(expected, lambda: api.run(asked, out="run", backend="dask", scheduler=made.address))
        assert not Path("run").exists()
        with cluster.Cluster(made.address) as workers:  # as if it had joined later
            workers.game, workers.expected = "propuh", cluster.sources("propuh")
            run = Run.create("later", api.manifest_of(asked, False))
            fails(expected, lambda: execute.execute(run, workers))
            run.close()


def test_a_worker_that_does_not_share_the_folder_is_named(asked: api.Question, two: str) -> None:
    run = Run.create("run", api.manifest_of(asked, False))
    with cluster.Cluster(two) as workers:
        workers.check("propuh")
        run.manifest["created"] = "2001-01-01 00:00:00"  # what the workers find there is another run
        fails(
            "tcp://.*: --workers-write needs a place that all workers share: .* another run",
            lambda: execute.execute(run, workers, workers_write=True),
        )
    run.close()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"backend": "dask"}, "--scheduler tcp://HOST:8786"),
        ({"backend": "dask", "scheduler": "tcp://127.0.0.1:8786", "jobs": 2}, "--jobs does not go with --backend dask"),
        ({"scheduler": "tcp://127.0.0.1:8786"}, "goes with --backend dask, not with threads"),
        ({"workers_write": True, "backend": "loky"}, "--workers-write goes with --backend dask, not with loky"),
        ({"backend": "dusk"}, "did you mean dask"),
        ({"backend": "dask", "scheduler": "here"}, "'here': expected an address like tcp://HOST:8786"),
        ({"backend": "dask", "scheduler": "tcp://h:port"}, "'tcp://h:port': expected an address like"),
        ({"out": "what://ever/run"}, "Protocol not known: what"),
        ({"out": "file:///tmp/run"}, "as a plain path, /tmp/run"),
    ],
)
def test_what_does_not_go_together_is_one_line(asked: api.Question, settings: dict[str, object], expected: str) -> None:
    fails(expected, lambda: api.run(asked, **settings))  # type: ignore[arg-type]
    assert not Path("runs").exists()


def test_a_scheduler_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    start = time.monotonic()
    address = f"tcp://127.0.0.1:{free_port()}"
    assert simkit(["run", "propuh", "--backend", "dask", "--scheduler", address]) == 2
    assert capsys.readouterr().err == f"simkit: --scheduler {address}: cannot be reached: connection refused\n"
    assert time.monotonic() - start < 8
    assert not Path("runs").exists()


def test_a_server_of_something_else_is_no_scheduler(
    asked: api.Question, objects: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    address = objects.replace("http", "tcp")
    fails("cannot be reached: no answer", lambda: api.run(asked, out="run", backend="dask", scheduler=address))


@pytest.mark.parametrize("missing", ["distributed", "fsspec.core"])
def test_without_the_extra_it_says_how_to_install_it(
    asked: api.Question, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    how = {"out": "s3://lab/run"} if "." in missing else {"backend": "dask", "scheduler": "tcp://127.0.0.1:1"}
    fails(r"pip install 'simkit\[dask\]'", lambda: api.run(asked, **how))  # type: ignore[arg-type]
