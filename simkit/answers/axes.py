"""Which options a question varies, and which it leaves out because they cannot matter at this table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simkit.answers.setting import Setting
from simkit.errors import OptionError, UserError, listed
from simkit.scenario.grid import show_value
from simkit.scenario.load import load_box
from simkit.spec import GameSpec, Option, Value
from simkit.summary import words as words_


@dataclass(frozen=True)
class Axis:
    """An option and the values it takes: all but the one that is played where one change is made at a time."""

    option: Option
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Axes:
    axes: tuple[Axis, ...]
    left_out: tuple[str, ...]  # sentences

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(axis.option.name for axis in self.axes)


def wanted(setting: Setting, words: Sequence[str], kinds: Sequence[str]) -> dict[str, tuple[Value, ...]]:
    """The options of a question with the values each takes.

    words : 'option' or 'option=value,value', as on the command line; if there are none, all options of these kinds:
            'any', 'ruling', 'box'
    raises : OptionError for what the game does not have, or an option that is named twice
    """
    spec = setting.spec
    found: dict[str, tuple[Value, ...]] = {}
    for word in words:
        name, equals, values = word.partition("=")
        option = spec.option(name)
        if name in found:
            raise OptionError(f"option {name} is named twice")
        chosen = tuple(option.check(value) for value in values.split(",")) if equals else option.values
        found[name] = tuple(dict.fromkeys(chosen))
    if words:
        return found
    return {
        option.name: option.values
        for option in spec.options
        if "any" in kinds or ("ruling" in kinds and option.ruling) or ("box" in kinds and option.box)
    }


def around(setting: Setting, words: Sequence[str] = (), kinds: Sequence[str] = ("any",)) -> Axes:
    """One change at a time around the rules as they are. Raises OptionError if there is nothing to change."""
    spec, rules = setting.spec, setting.rules
    axes, left_out, silent = [], [], []
    box = load_box(spec, setting.box)
    for name, values in wanted(setting, words, kinds).items():
        option = spec.option(name)
        if not spec.matters(option, setting.players, rules):
            silent.append(name)
            continue
        can = []
        for value in values:
            if value != rules[name]:
                problem = refusal(setting, box, {**rules, name: value})
                if problem:
                    left_out.append(f"{name} = {show_value(value)} cannot be played here: {problem}.")
                else:
                    can.append(value)
        if can:
            axes.append(Axis(option, tuple(can)))
    left_out = silence(setting, silent) + left_out
    if not axes:
        raise OptionError(" ".join([f"{setting.name}: there is nothing to change.", *left_out]))
    return Axes(tuple(axes), tuple(left_out))


def across(setting: Setting, words: Sequence[str] = (), kinds: Sequence[str] = ("any",)) -> Axes:
    """All values of options that are combined freely; those left out that cannot matter in any combination.

    raises : OptionError if nothing is left to combine
    """
    spec, rules = setting.spec, setting.rules
    chosen = wanted(setting, words, kinds)
    can = {name: set(chosen.get(name, (value,))) for name, value in rules.items()}

    def matters(option: Option) -> bool:
        at_table = not option.players or setting.players in option.players
        return at_table and all(value in can[name] for name, value in option.needs.items())

    left_out = silence(setting, [name for name in chosen if not matters(spec.option(name))])
    axes = [
        Axis(spec.option(name), values)
        for name, values in chosen.items()
        if matters(spec.option(name)) and len(values) > 1
    ]
    if not axes:
        raise OptionError(" ".join([f"{setting.name}: there is nothing to combine.", *left_out]))
    return Axes(tuple(axes), tuple(left_out))


def silence(setting: Setting, names: Sequence[str]) -> list[str]:
    """Sentences for options that cannot matter at this table, those with one reason together."""
    by_reason: dict[str, list[str]] = {}
    for name in names:
        by_reason.setdefault(reason(setting.spec, name, setting.players, setting.rules), []).append(name)
    return [f"{words_.listed_words(group)} cannot matter here: {why}." for why, group in by_reason.items()]


def refusal(setting: Setting, box: Mapping[str, Any], options: Mapping[str, Value]) -> str:
    """Why these rules cannot be played with this box at this table; nothing if they can."""
    try:
        setting.spec.module("box").pack(options, box, setting.players)
    except UserError as problem:
        return str(problem)
    return ""


def reason(spec: GameSpec, name: str, players: int, options: Mapping[str, Value]) -> str:
    """Why an option does not matter at a table."""
    option = spec.option(name)
    if option.players and players not in option.players:
        return f"made for {listed(option.players)} at the table, not {players}"
    missing = [f"{other} = {show_value(v)}" for other, v in option.needs.items() if options[other] != v]
    return f"without effect unless {' and '.join(missing)}"
