"""Which cards matter, how long is a game, is anything suspicious?"""

from simkit.report.cards.states import BAD, DEPENDS, GOOD, INFO, UNKNOWN
from simkit.report.model import Card
from simkit.report.sections import cards as card_list
from simkit.report.sections import (
    convergence,
    endings,
    feel,
    links,
    rules,
    shape,
    trust,
)  # fmt: skip
from simkit.report.sections.parts import say
from simkit.summary.evidence import Evidence


def card_values(evidence: Evidence) -> Card | None:
    """Whether it matters which cards one is dealt."""
    shown = card_list.panels(evidence)
    if not shown:
        return None
    counts = [(int(rows["is_sure"].sum()), int((~rows["is_thin"]).sum())) for _, rows in shown]
    sentences = [card_list.sentence(evidence, title, rows) for title, rows in shown[:2]]
    sentences += card_list.turn_sentence(shown)
    if not any(enough for _, enough in counts):
        state, word = UNKNOWN, "too few to tell"
    elif card_list.turning(shown):
        state, word = DEPENDS, "depends on who plays"
    else:
        sure, enough = max(counts)
        state, word = INFO, f"{sure or 'none'} of {enough}"
    return Card("cards", "Which cards make a difference?", state, word, tuple(sentences), "cards")


def dealt(evidence: Evidence) -> Card | None:
    """What chance deals besides cards, and what it is worth."""
    shown = links.panels(evidence, evidence.given)
    if not shown:
        return None
    counts = [(int(rows["is_sure"].sum()), int((~rows["is_thin"]).sum())) for _, rows in shown]
    sure, enough = max(counts)
    sentences = tuple(links.given_sentence(evidence, *panel) for panel in shown[:2])
    state, word = (INFO, f"{sure or 'none'} of {enough}") if enough else (UNKNOWN, "too few to tell")
    return Card("links", "What decides it besides play?", state, word, sentences, "links")


def length(evidence: Evidence) -> Card:
    typical = f"{shape.typical(evidence)} {evidence.length}"
    sentences = (shape.sentence(evidence), *feel.card_sentence(evidence))
    return Card("length", "How long is a game?", INFO, typical, sentences, "shape")


def alerts(evidence: Evidence) -> Card:
    """What should make a reader suspicious."""
    found = list(off := tuple(trust.off_sentences(evidence)))
    share = evidence.cells["truncated"].sum()
    if share:
        found.append(
            f"{share:,} playouts were cut off at the limit of decisions and count as not {evidence.outcome.did}."
        )
    if suspects := convergence.suspects(evidence):
        found.append(f"The blocks of {', '.join(suspects)} differ more or less than chance allows.")
    if never := endings.never_seen(evidence):
        found.append(f"No game ended by {', '.join(map(say, never))}.")
    found += rules.alerts(evidence)
    differences = evidence.differences
    if len(differences):
        same = differences[differences["only_here"] + differences["only_there"] == 0]["change"].unique()
        if len(same):
            headline = (
                f"{evidence.headline[0].lower()}{evidence.headline[1:]}"
                if not evidence.spec.roles and not evidence.spec.headline
                else evidence.headline
            )
            found.append(f"On no deal did it change whether {headline}: {', '.join(same)}.")
    if len({frozenset(cell.policies) for cell in evidence.recipe.cells}) == 1:
        found.append("Only one line-up was played: the result may be that of the policies, not of the game.")
    state, word = (INFO, f"{len(found)} to look at") if found else (GOOD, "none")
    if off:
        state, word = BAD, "do not trust this run"
    return Card(
        "alerts",
        "Anything suspicious?",
        state,
        word,
        tuple(found) or ("Nothing was cut off, every ending was seen, every control holds.",),
        "trust" if off else "endings",
    )
