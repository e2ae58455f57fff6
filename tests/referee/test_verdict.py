"""How a verdict is told."""

from rules.engine.action import parse_action
from rules.games import game
from rules.referee.verdict import Choice, Verdict, VerdictKind, distinguishing_mentions, question_sentence
from rules.sentence import say


def choice(*actions: str) -> Choice:
    return Choice(tuple(parse_action(action) for action in actions), 0.3)


def test_choices_that_end_alike_are_told_by_what_only_they_have_and_never_twice_in_the_same_words() -> None:
    rules = game("dodgem")
    ends_alike = [choice("move(a1,b1)", "move(e2,e3)"), choice("move(a2,b2)", "move(e2,e3)")]
    assert [mention.action for mention in distinguishing_mentions(rules, ends_alike)] == ["move(a1,b1)", "move(a2,b2)"]
    begins_alike = [*ends_alike, choice("move(a1,b1)", "move(e3,e4)")]
    assert [mention.action for mention in distinguishing_mentions(rules, begins_alike)] == [
        "move(a1,b1)",
        "move(a2,b2)",
        "move(e3,e4)",
    ]
    longer = [choice("move(a1,b1)"), choice("move(a2,b2)"), choice("move(a1,b1)", "move(e2,e3)", "move(a2,b2)")]
    assert len({mention.action for mention in distinguishing_mentions(rules, longer)}) == 3
    assert question_sentence(distinguishing_mentions(rules, longer)).text.startswith("please say which it was: ")


def test_the_same_question_is_asked_again_where_more_was_done_since() -> None:
    words = say("please say which it was: {choices}", choices="a1 to b1 or a2 to b2")
    before, after = choice("move(a1,b1)"), choice("move(a1,b1)", "move(e2,e3)")
    first = Verdict(VerdictKind.AMBIGUOUS, words, choices=(before,))
    assert first.news == Verdict(VerdictKind.AMBIGUOUS, words, choices=(Choice(before.actions, 0.9),)).news
    assert first.news != Verdict(VerdictKind.AMBIGUOUS, words, choices=(after,)).news
    looking = (Verdict(VerdictKind.IMPOSSIBLE, words, choices=(one,)) for one in (before, after))
    assert len({verdict.news for verdict in looking}) == 1, "guesses may change at every look"
