"""How a verdict is told."""

from rules.engine.action import parse_action
from rules.games import game
from rules.referee.verdict import Choice, asked, told_apart


def choice(*actions: str) -> Choice:
    return Choice(tuple(parse_action(action) for action in actions), 0.3)


def test_choices_that_end_alike_are_told_by_what_only_they_have_and_never_twice_in_the_same_words() -> None:
    rules = game("dodgem")
    ends_alike = [choice("move(a1,b1)", "move(e2,e3)"), choice("move(a2,b2)", "move(e2,e3)")]
    assert [mention.action for mention in told_apart(rules, ends_alike)] == ["move(a1,b1)", "move(a2,b2)"]
    begins_alike = [*ends_alike, choice("move(a1,b1)", "move(e3,e4)")]
    assert [mention.action for mention in told_apart(rules, begins_alike)] == [
        "move(a1,b1)",
        "move(a2,b2)",
        "move(e3,e4)",
    ]
    longer = [choice("move(a1,b1)"), choice("move(a2,b2)"), choice("move(a1,b1)", "move(e2,e3)", "move(a2,b2)")]
    assert len({mention.action for mention in told_apart(rules, longer)}) == 3
    assert asked(told_apart(rules, longer)).text.startswith("please say which it was: ")
