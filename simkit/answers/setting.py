"""What a question about a game's rules starts from: a game at a table, with its rules as they are, and who plays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simkit import api, games
from simkit.answers.difference import MARGIN, probability
from simkit.errors import OptionError
from simkit.scenario.grid import expand
from simkit.scenario.validate import Grid, LineUp, Scenario
from simkit.spec import GameSpec, Value

EVEN = 50.0  # per cent: what one wins about as often as not


@dataclass(frozen=True)
class Setting:
    """A game and everything about it that a question leaves as it is. `options` are those given, made legal."""

    spec: GameSpec
    players: int
    preset: str | None
    options: Mapping[str, Value]
    line_ups: tuple[LineUp, ...]
    playouts: int
    seed: int
    box: Path | None
    margin: float  # points
    target: float | None = None  # per cent

    @classmethod
    def of(
        cls,
        game: str,
        *,
        options: Mapping[str, str] | None = None,
        preset: str | None = None,
        players: int | None = None,
        policies: Mapping[str, str] | None = None,
        playouts: int,
        seed: int | None = None,
        box: Path | None = None,
        margin: float | None = None,
        target: float | None = None,
    ) -> "Setting":
        """The line-up that `policies` names, or each usual one. Raises UserError for anything wrong."""
        spec = games.get(game)
        if players is None:
            players = spec.preset(preset).players if preset is not None else max(spec.line_ups)
        seats = spec.check_players(players)
        margin = MARGIN if margin is None else margin
        probability("--margin", margin)
        if target is not None and not 0 < target - margin < target + margin < 100:
            raise OptionError(f"--target {target:g} with a margin of {margin:g} reaches beyond 0 to 100")
        seed = 1 if seed is None else seed
        api.check_range("playouts", playouts, 1, 10**13)
        api.check_range("seed", seed, 0, 2**63 - 1)
        line_ups = [dict(policies)] if policies else [
            {str(seat): name for seat, name in enumerate(line_up)} for line_up in spec.line_ups[seats]
        ]  # fmt: skip
        changed = spec.check_options(options or {})
        return cls(spec, seats, preset, changed, tuple(line_ups), playouts, seed, box, margin, target)

    @property
    def rules(self) -> dict[str, Value]:
        """Every option with its value."""
        return self.spec.resolve({**self.fixed, **self.options})

    @property
    def fixed(self) -> Mapping[str, Value]:
        """What the preset sets."""
        return self.spec.preset(self.preset).options if self.preset is not None else {}

    @property
    def name(self) -> str:
        """The preset, which is told together with its game, or the game."""
        return f"{self.spec.name}-{self.preset}" if self.preset else self.spec.name

    def question(self, grids: Sequence[Grid], title: str = "", question: str = "") -> api.Question:
        """The recipe of these grids."""
        scenario = Scenario(
            game=self.spec.name, name=self.name, title=title, question=question, grid=list(grids), margin=self.margin,
            target=self.target, seed=self.seed, playouts=self.playouts,
            box=str(self.box) if self.box is not None else None,
        )  # fmt: skip
        return api.Question(expand(scenario), scenario.playouts)
