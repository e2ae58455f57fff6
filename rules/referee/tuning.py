"""Every number that the referee's judgement depends on, in one frozen value, each with its source.

Surprise is in nats: one nat is odds of 1 in 2.7, three nats 1 in 20, six nats 1 in 400. Lengths are in spaces, half
a tile side. Sources, in brackets:

- set: follows from the sizes of the pieces and how they lie together.
- odds: a probability that a knowledgeable person would name, as nats; fitted to nothing.
- trials: games with simulated sightings are followed, and illegal acts refused with their own rule
  (`python -m tests.bench synthetic --illegal N`).
- pictures: drawn games are followed from pictures (`python -m tests.bench record`, `judge`).
- people: what people at a table can bear: how long to wait, how much to read.
- budget: bounds work; more of it costs time and finds little more.

The comment beside or above a number says what it is. Numbers that nobody turns (a floor below a logarithm, a rounding)
stand where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

from rules.engine.refusal import Code
from rules.pieces import Kind
from rules.pieces.sizes import USUAL_THICKNESS
from rules.table.layout import Layout, Zone

Key = TypeVar("Key")


def _table(values: Mapping[Key, float]) -> Mapping[Key, float]:
    """The default of a field that nobody can change."""
    default: Mapping[Key, float] = field(default_factory=lambda: MappingProxyType(values))
    return default


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Distances and probabilities that decide whether two things are the same."""

    elsewhere: float = 0.3  # distance beyond which a piece lies elsewhere (set: less than half a coin)
    same: float = 0.25  # distance within which two positions are one (set: a third of a coin's width)
    strange: float = 0.35  # distance within which a false positive is the earlier one (pictures)
    # probability of the earlier one's identity below which it is another, and a die at rest shows another face (odds:
    # of things as small as these one detection in five names another identity)
    other_chance: float = 0.2
    # distance within which a piece beside the board lies where one of its kind lay (pictures: the error of a camera
    # fitted to the board grows with the distance from it; less than a space)
    aside: float = 0.7
    at_rest: float = 0.25  # distance within which a die with its old face was not thrown (set: below its half width)
    pushed: int = 3  # dice with all their old faces from which they were pushed, not thrown (odds: one throw of 216)
    misread: float = 0.05  # probability of its old identity from which a piece was not turned and is no other (odds)
    # factor on these distances on a board of cards: its spaces are three times as far apart, cards are laid less
    # exactly, and a printed frame is easily taken for an edge (set: still short of the next card)
    among_cards: float = 1.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Heights:
    """Heights of pieces and what they cover; 0 is the top of a tile on the table."""

    tile: float = USUAL_THICKNESS[Kind.TILE]  # (set: 4 to 6 mm of 25 mm, by edition; `Perspective` scales it)
    coin: float = USUAL_THICKNESS[Kind.COIN]  # (set: 3 to 4.5 mm of 25 mm, between the editions)
    card: float = USUAL_THICKNESS[Kind.CARD]  # (set: a third of a millimetre)
    partly: float = 0.35  # visible share of a partly covered piece; pieces with less are not compared (trials)
    hidden: float = 0.7  # covered share from which a tile is not seen (trials)
    covered: float = 0.2  # covered share from which a tile is partly covered (trials)
    on_top: float = 0.5  # distance from a tile's centre within which a small piece hides its print (set)
    printed: float = 0.5  # visible share of such a tile (trials)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseSearchLimits:
    """The likelihood of a board's pose, and the search for it."""

    recall: float = 0.9  # detection rate of visible pieces (measured: .88 to .96, by kind, on foreign sets)
    # standard deviation of positions, laying and detection together (pictures: standing pieces lean)
    noise: Mapping[Kind, float] = _table(
        {Kind.TILE: 0.07, Kind.COIN: 0.09, Kind.CARD: 0.12, Kind.DIE: 0.15, Kind.PAWN: 0.15, Kind.PYRAMID: 0.15}
    )
    outliers: float = 0.1  # share of places and sides that are less exact (the usual share in a robust fit)...
    farther: float = 3.0  # ... and the factor on their deviation (the usual choice)
    askew_deg: float = 8.0  # standard deviation of the sides of tiles and cards (pictures: on a badly calibrated plane)
    strays: float = 1.0  # sightings of a kind that are not in the game, beside those waiting there (pictures)...
    table: float = 600.0  # ... on this area, in square spaces (set: a table of 30 by 20 inches)
    misread: float = 0.15  # share of wrong identities (measured: .07 to .14 on foreign sets)
    wrong_side: float = 0.05  # share of pieces detected with another side or mark (odds)
    slant: float = 0.6  # displacement of high pieces by a slanting view, per space of height (set: seen at 59 degrees)
    shape: float = 0.8  # error of a badly calibrated plane: stretch at the board's edge (pictures: three tiles)...
    place: float = 0.5  # ... shift (pictures)...
    height: float = 1.2  # ... shift per space of height (set: a camera at 40 degrees)...
    depth: float = 0.8  # ... and stretch because one side is nearer (pictures)
    wrong: tuple[float, ...] = (0.2, 1.0)  # shares of that error tried (pictures: planes of many tiles, and of three)
    turned_over: float = 0.25  # area factor below which a projection shows no board face up (set)
    horizon: float = 0.8  # change of depth from edge to edge at which the horizon cuts the board (set: 1 is on it)
    neighbours: int = 4  # neighbours with which each piece votes for poses; sightings have twice as many (budget)
    min_scale: float = 0.7  # least scale of the table plane (pictures: 0.87)...
    max_scale: float = 1.45  # ... and largest (pictures: 1.22, a printed frame taken for the edge)
    cell_turn: float = 6.0  # size of a vote cell in degrees of turn (set: a space at the edge of a board)...
    cell_scale: float = 0.1  # ... in scale (set: the same)...
    cell_place: float = 1.0  # ... and in the position of the board's centre (set: half a tile)
    max_starts: int = 24  # poses tried of either grid (budget)...
    max_refined: int = 6  # ... and of them refined as a camera's view (budget)...
    widths: tuple[float, ...] = (4.0, 3.0, 2.0, 1.0, 1.0, 1.0)  # ... at these deviations, in turn (the usual annealing)
    min_share: float = 0.35  # share of a board that must be seen (trials: half a board under hands is still one)
    margin_nats: float = 5.0  # lead of a pose over its rivals (odds: one in a hundred and fifty)
    stay_nats: float = 3.0  # prior of the previous pose (odds: one board in twenty is turned)
    upright_nats: float = 0.1  # prior of a board upright to the camera (odds: where nothing else decides)
    apart_spaces: float = 0.6  # distance from a board's places from which ground is another (set: a coin's width)
    row_spaces: float = 2.6  # distance within which tiles are in one row (set: a tile and a third)
    min_pieces: int = 5  # matched pieces from which the pose error is estimated (odds)


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelihoodRates:
    """Costs of sightings and of pieces not seen, given a layout."""

    missing_nats: float = 6.0  # for a piece that is not seen at its place (odds: one in four hundred)
    extra_nats: float = 6.0  # for a sighting that matches no piece, at most (odds: the same)
    news_nats: float = 1.5  # taken off for a new piece: a moment is looked at because something was done (trials)
    # certainty from which a kind that the game does not use is counted (odds: hardly anybody lays a coin on a card
    # where there are no coins, and the drawing of a card looks like one)
    foreign_certainty: float = 0.98
    certain_extra_nats: float = 3.5  # from which an extra sighting is certain (odds: by nine in ten, with `news_nats`)
    # distance from a tile's centre within which it would hide something (set: half a side less a rim)...
    beneath: float = 0.8
    undisturbed: int = 2  # ... and such undisturbed pieces from which it is no tile (odds: one may have been put back)
    wrong_face_nats: float = 5.0  # for another side or pose than it should show, at most (odds: one in 150)
    wrong_size_nats: float = 2.6  # for a pyramid of another size (odds: one in 13; nets confuse neighbouring sizes)
    max_identity_nats: float = 6.0  # for another suit or value, at most (odds: one in four hundred)
    hope: float = 0.5  # pieces of a sort counted as detected before any was (the usual half of a count)
    hope_on_board: float = 1.0  # the same on the board, where pieces share light and ground (the usual whole count)
    last_look_weight: float = 0.4  # of the last look in their average (pictures: three looks are two thirds of it)
    max_offset: float = 0.62  # distance within which a piece is matched (set: a coin's width; short of the next space)
    max_tile_offset: float = 0.5  # the same of a tile, which no hand misplaces by more (set: a quarter of a tile)
    spread: float = 0.22  # standard deviation of positions, laying and detection together (pictures)
    in_place_nats: float = 0.05  # cost ignored: a hair beside its place (odds)
    likely_chance: float = 0.5  # probability from which an identity is right (odds: as likely as not)
    askew_deg: float = 25.0  # degrees by which a piece on its side may point past its direction (people)...
    deg_per_nat: float = 8.0  # ... and degrees beyond that per nat (pictures)
    margin: float = 0.9  # reach of a board beyond its edge with nothing beside it (set: nearly a space)
    margin_beside: float = 0.15  # the same with hands and heaps beside it (set)
    explained_nats: float = 0.5  # cost up to which a piece lies as it should (odds: as likely as not)
    mismatch_nats: float = 1.5  # cost from which it looks or lies otherwise (odds: one in five)
    moved_chance: float = 0.3  # probability from which an extra sighting may be a missing piece (odds)
    one_tile_reach: float = 2.4  # of the board for tiles and cards, laid against its edge (set: a tile and a bit)
    three_tiles_reach: float = 6.4  # the same where the table is marked and more are to be laid: three in a row (set)
    # visible share from which an identity has full weight (pictures: of 248 partly covered tiles read with 0.99 on
    # average, 0.992 were right; of 279 read with 0.77, 0.82)...
    legible: float = 0.5
    least_share: float = 0.2  # ... and its least weight below (trials)


@dataclass(frozen=True, slots=True, kw_only=True)
class OffBoardCosts:
    """Hands, heaps and dice. What one piece that came tells: much where the table is marked out, little where owners
    are guessed."""

    # distance within which a sighting belongs to the owner of a piece (set: a row and the gap to the next)
    near_spaces: float = 2.5
    # distance within which a card continues a row of cards (set: a card's height and the gap to the next)
    next_card_spaces: float = 4.2
    new_piece_nats: float = 3.0  # for a card new in somebody's row, or a piece on a spent heap (odds: one in twenty)
    known_card_nats: float = 6.0  # for a new card known by its drawing (odds: as much as something new on the board)
    # for a new piece where zones are marked (odds: one in twenty; a supply does not matter)
    marked_nats: Mapping[Zone, float] = _table({Zone.HAND: 3.0, Zone.SPENT: 3.0, Zone.SUPPLY: 0.0})
    # the same where they are not (pictures)
    guessed_nats: Mapping[Zone, float] = _table({Zone.HAND: 1.5, Zone.SPENT: 1.0, Zone.SUPPLY: 0.0})
    faint_certainty: float = 0.3  # certainty from which a faint sighting counts (set: the detector's own limit)
    # cost of all changes beside the board if nothing was done, at most (odds: less than
    # `DecisionThresholds.explained_nats`, as people tidy their pieces)
    max_idle_nats: float = 3.0
    max_mismatch_nats: float = 3.5  # for a piece of a heap that shows something else, at most (odds: one in thirty)
    max_die_nats: float = 5.0  # for a die that shows another value, at most (odds: one in a hundred and fifty)
    unnamed_chance: float = 0.02  # probability that a readable card is one that the layout does not name (odds)
    doubtful_chance: float = 0.08  # share of the likeliest face from which another is doubtful (odds: `margin_nats`)
    unseen_face_nats: float = 6.0  # for a face that was not seen (odds: as much as a missing piece)
    other_chance: float = 0.2  # probability below which a piece of a heap is another one (odds)
    match_chance: float = 0.5  # probability from which it is the expected one (odds: as likely as not)
    suit_chance: float = 0.3  # from which a die is taken for one of a suit (odds: four dice, hardly more than a guess)
    astray_chance: float = 0.05  # probability that a die lies among another owner's pieces (odds: one in twenty)
    max_dice: int = 5  # number of dice compared, the most certain ones (budget: their assignments)
    max_assignments: int = 12  # number of assignments compared (budget)
    named_chance: float = 0.7  # probability from which a piece is identified (odds)
    standing_certainty: float = 0.8  # of a pawn that a supply has, however faintly it is detected (odds: four of five)
    still_there_nats: float = 3.0  # for a piece that was taken and is still detected (odds: one in twenty)
    never_seen_nats: float = 0.5  # for a piece taken and never detected there (odds: most of what lies is detected)
    max_flicker_nats: float = 2.5  # for a detection gone though nothing was taken, at most (odds: one in twelve)
    strayed_nats: float = 1.0  # for a piece gone from, or new among, another owner's pieces (odds: one in three)
    strayed_card_nats: float = 3.0  # the same of a card in a hand: rows are hardly mistaken (odds: one in twenty)
    pushed_nats: float = 0.5  # for a piece moved beside the board, and per space (odds: people push their pieces about)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitConfusionRates:
    """Estimation of how this set's suits are misread."""

    same: float = 0.5  # probability of its value from which a sighting is the expected piece (odds: as likely as not)
    believed: float = 2.0  # prior count of right readings of each suit (odds)
    chance: float = 1.0  # number of misreadings of a suit that are chance (pictures)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCosts:
    """Weight of the picture's change since the keyframe. Sizes of changed regions are in coins."""

    missed_nats: float = 2.0  # for a piece not detected where the picture shows something new, at most (pictures)
    contradicted_nats: float = 2.5  # for a piece detected where the picture shows no change (pictures)
    doubt_nats: float = 0.7  # taken off for a place that may or may not have changed (odds: as likely as not)
    unchanged_nats: float = 6.0  # for a piece that came or went where nothing changed (odds: one in four hundred)
    region_nats: float = 5.0  # for an unexplained region of the size of a piece (pictures)
    unchanged_chance: float = 0.35  # probability of change up to which a place is unchanged (pictures)
    max_keyframes: int = 4  # number of older keyframes kept to fall back on (budget)
    region_margin: float = 1.4  # size of a region by the size of its piece, with shadows and leaning (pictures)
    drawn_aside_spaces: float = 0.75  # by which pieces sharing a place are spread when one comes or goes (set: a coin)
    # share of a region from which it may be a piece's own (pictures: a row laid with it, not a lamp)
    min_own_share: float = 0.12
    kept_quarters: int = 2  # unchanged quarters from which no tile came or went (set: pieces were put on two of them)
    behind_factor: float = 0.15  # weight of detections of an unchanged piece whose neighbour came or went (pictures)
    touching_share: float = 0.1  # share of a region that a piece must leave to touch it (pictures)
    edge_spaces: float = 0.4  # reach of a piece's changes beyond its edge (pictures: shadows)
    room_spaces: float = 1.0  # distance of waiting pieces from a free place of the board (set: a space)
    min_region_coins: float = 0.15  # unexplained size from which a region counts (pictures)
    full_region_coins: float = 0.7  # unexplained size at which it counts in full (pictures)
    # distance of a shadow's centre from what stands (set: twice as long as a pawn is high, a lamp at 27 degrees)
    shadow_spaces: float = 2.2
    # distance that a piece is pushed aside on its place, at most (set: from one corner of a tile to its centre)
    pushed_spaces: float = 1.5
    # size of one piece's shadow, at most (set: as wide as a large pyramid, and twice as long as high)
    max_shadow_coins: float = 5.0
    coin_shadow_spaces: float = 0.9  # distance of a coin's shadow, as from a tile's edge (set: one and a half coins)
    turned_deg: float = 20.0  # degrees by which a piece may be turned and look the same (pictures)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """Which actions are tried, and their priors."""

    # by number of actions, none first (odds: nobody plays three turns between two pictures unless nothing simpler
    # explains them)
    prior_nats: tuple[float, float, float, float] = (0.0, 0.3, 3.0, 6.0)
    value_nats: float = 0.2  # for a value that dice or coins show (odds: hardly any)
    unread_nats: float = 2.6  # for a throw that the table does not show (trials: from `margin_nats` to a missing piece)
    informative_nats: float = 0.5  # gain from which a value counts as read (trials)
    maybe_chance: float = 0.1  # probability from which it may be the one that is gone (odds)
    max_first: int = 4000  # first actions tried (budget: more than any game has outside of sowing)
    max_later: int = 400  # later actions tried after each (budget)
    max_actions: int = 3  # depth of an explanation in actions (budget; `prior_nats` makes more improbable)
    beam: int = 10  # hypotheses continued at each depth (budget)
    guided_beam: int = 24  # the same along suggestions (budget)
    satisfied_nats: float = 2.5  # up to which no further action is tried (trials: `DecisionThresholds.margin_nats`)
    max_worse_nats: float = 2.0  # loss up to which a hypothesis may be the first of several actions (trials)
    # gain from which a hypothesis explains a part, and may be the first of several deeds (odds: one in twenty)
    part_nats: float = 3.0
    # actions tried against a table, the likely ones first (budget: counted and not timed, so that a busy machine
    # answers late, never differently)
    max_tables: float = 100
    # odds against the likeliest identity from which another is tried as well (odds: the debounce's `sure_nats`; a
    # margin counts only over what was tried)...
    doubtful_chance: float = 0.0025
    posed_chance: float = 0.08  # the same of a pyramid's standing or lying (odds: as `DecisionThresholds.margin_nats`)
    max_readings: int = 6  # ... and the number of such readings (budget)
    max_values: int = 8  # values read one after another (budget: a throw is read die by die)
    kept_values: int = 4  # readings continued of each (budget)
    kept_throws: int = 24  # throws compared with the whole table (budget: the dice select them)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeLimits:
    """Search for other histories of an accepted table, once nothing explains the next."""

    max_actions: int = 4  # depth in actions (budget)
    beam: int = 12  # paths continued (budget)
    max_tried: int = 40  # actions tried after each (budget)
    max_alternatives: int = 8  # alternatives followed (budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionThresholds:
    """When a table is explained, unexplained, or asked about."""

    quiet_nats: float = 0.8  # of the null hypothesis up to which nothing has changed (odds: nearly as likely as not)
    explained_nats: float = 4.0  # cost up to which a table is explained (trials: less than one missing piece)
    margin_nats: float = 2.5  # lead over the next outcome for an action to be accepted (odds: twelve to one)...
    ask_nats: float = 1.3  # ... and lead over the null hypothesis for people to be asked (odds: likely by 78 %)
    certain_factor: float = 2.0  # gain, in margins, from which something was done for certain (odds: one in 150)
    # cost beyond which no table is explained (measured: of 446 true tables of film and of foreign pictures 25 leave
    # more than `explained_nats`, 8 more than 8, 4 more than this)
    unknown_nats: float = 12.0
    # prior of a piece laid against the rules (odds: one action in a hundred and eighty, a bit less likely than a side
    # misread, `LikelihoodRates.wrong_face_nats`)...
    edit_nats: float = 5.2
    max_edited: int = 4  # ... after the best of so many hypotheses (budget)
    min_tables: float = 600  # actions tried before anybody is accused or a partial explanation accepted (budget)
    deal_pieces: int = 8  # number of announced pieces on the board that make a deal (set: no move touches so many)...
    # ... and the changed share of them that confirms it (pictures: of dark coins turned over on dark tiles under a weak
    # lamp one of three changes)
    deal_share: float = 0.3
    max_undo: int = 20  # actions that can be taken back on the table (budget)
    undo_nats: float = 2.0  # prior of taking back (odds: rarer than an action)
    max_rivals: int = 40  # hypotheses told apart (budget)
    unlike_throw_nats: float = 0.5  # of the dice from which even the only legal throw is asked about (odds: 3 to 2)
    # distance below which free positions are the same, and beyond which no action moves a piece within its place (set:
    # a coin's width)
    hand_spaces: float = 0.6
    max_following_tables: float = 400  # actions tried where answers to an open question are followed (budget)
    max_answers: int = 8  # answers followed (budget)
    max_answer_actions: int = 8  # actions of an answer that is followed, at most (budget)
    rival_nats: float = 6.0  # up to which another outcome is kept for later tables (odds: as a missing piece)
    max_accepted: int = 4  # accepted verdicts that a later table may refute (budget)
    max_choices: int = 12  # choices shown (people)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccusationThresholds:
    """When people are told that a rule was broken, and how much they are told."""

    # cost left once the pieces are laid as they are seen (trials). Where the picture shows all that was moved, it may
    # be that of a true table, `DecisionThresholds.explained_nats`
    max_unexplained_nats: float = 1.5
    edit_nats: float = 1.0  # prior of a piece moved against the rules (odds)
    nowhere_nats: float = 3.0  # for a piece of an edit that came from nowhere (odds: one in twenty; all lie somewhere)
    twice_nats: float = 6.0  # for one that would lie there twice (odds: as `LikelihoodRates.missing_nats`)
    max_revised: int = 6  # pieces of an edit that is compared with others (budget)
    max_revisions: int = 40  # edits compared with one (budget)
    min_gain_nats: float = 0.5  # gain from which another edit is likelier (odds: five to three)
    min_worse_nats: float = 3.0  # lead over every legal explanation (odds: one in twenty)
    max_edits: int = 4  # changed pieces, at most (trials: three quick steps of a pawn look like that)
    min_certainty: float = 0.8  # certainty of the evidence: a coin under a pawn is detected too, but not well (odds)...
    min_witnessed_certainty: float = 0.5  # ... and where the picture shows the move as well (odds: two witnesses)
    # detection rate of each colour's pawns and pyramids below which detections beside the board accuse nobody
    # (pictures: a black pyramid on a dark table is detected every second time)
    min_sort_rate: float = 0.7
    max_starts: int = 3  # first actions tried (budget)
    max_guesses: int = 3  # choices shown (people)
    max_meant: int = 24  # legal actions tried as what was meant (budget)
    far_spaces: float = 6.0  # distance beyond which all distances count alike (set: six spaces)
    max_differences: int = 6  # differences told (people)
    grouped_pieces: int = 5  # missing pieces of one place from which they are told together (people)
    upset_pieces: int = 9  # differing pieces from which the board is told as a whole (people: > `max_differences`)...
    upset_share: float = 0.6  # ... or their share of the pieces that are moved on it (people: most of ten coins)...
    min_upset_pieces: int = 5  # ... but at least this many (people: three moves and a mistake are told one by one)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLimits:
    """Which refused action was attempted."""

    most_tried: int = 200  # attempts compared (budget)
    # for reasons about the form of an action, which come last (trials). Where nothing lay, hardly anything was moved:
    # it went the other way
    formal_nats: Mapping[Code, float] = _table(
        {Code.EMPTY: 2, Code.OUT_OF_ORDER: 4, Code.NO_SUCH_PLACE: 8.5, Code.NO_SUCH_PIECE: 8.5, Code.WRONG_PHASE: 8}
    )
    legal_first_nats: float = 2.0  # for a legal action done first (trials)
    unchanged_named_nats: float = 3.0  # for each thing that an attempt names and that did not change (trials)
    unshown_nats: float = 1.0  # for an attempt that the game read from the change and that leads to no table (trials)
    named_nats: float = 1.5  # for one that only names what changed (trials)
    other_piece_nats: float = 0.7  # for each further piece that changed (trials)
    # for "no action does this": worse than an action out of its turn that leaves this very table or names what lies
    # there now (trials: above `formal_nats` with `named_nats`)
    wordless_nats: float = 9.7
    conjured_nats: float = 4.5  # for each piece that an attempt brings onto the board and nobody did (trials)
    most_legal: int = 80  # legal actions turned towards what changed (budget)
    most_values: int = 8  # values tried for a parameter that nothing determines (budget)
    most_of_a_verb: int = 24  # argument lists tried of one verb (budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class DebounceTimes:
    """How long a verdict is held back."""

    sure_nats: float = 6.0  # margin from which a legal action is told before the table is steady (odds: one in 400)
    min_looks: int = 2  # looks that must agree on an accusation or question (people)
    confirm_s: float = 0.8  # seconds between them (people: a hand that comes back)
    in_hand_s: float = 4.0  # seconds for a piece that is only missing: it is in somebody's hand (people)
    wavering_s: float = 4.0  # seconds after which something is told where looks do not agree on what (people)


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionFitLimits:
    """Search for the position of a table as it lies."""

    max_changes: float = 6000  # edits tried (budget: a millisecond each, and people wait for it)
    max_steps: int = 8  # edits of one position (budget)
    max_worse_nats: float = 7.0  # loss by one edit: a piece goes before another can come (odds: one missing piece)
    beam: int = 4  # states continued (budget)
    min_gain_nats: float = 0.5  # gain of a step (trials)...
    max_idle_steps: int = 2  # ... without which the search ends after so many (budget)
    max_nudges: int = 6  # fields that move one piece, up to which two are edited together (budget)
    astray_spaces: float = 2.1  # distance within which a piece may only need another corner of its tile (set: a tile)
    near_spaces: float = 0.8  # from a piece to where it is seen, at most (set: half the way to the next space but one)
    max_number: int = 30  # largest number tried that is no place: tiles, pawns, coins of a hand (set)
    shift: int = 8  # change of a coordinate that measures its effect (set: more than any rounding)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationLimits:
    """How much of an explanation is told."""

    max_ranked: int = 5  # outcomes of one comparison (people)
    min_nats: float = 0.05  # cost below which terms are summed up (people)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """All numbers of the referee; each part is given its group."""

    places: Places = field(default_factory=Places)
    heights: Heights = field(default_factory=Heights)
    pose_search: PoseSearchLimits = field(default_factory=PoseSearchLimits)
    likelihood: LikelihoodRates = field(default_factory=LikelihoodRates)
    off_board: OffBoardCosts = field(default_factory=OffBoardCosts)
    suit_confusion: SuitConfusionRates = field(default_factory=SuitConfusionRates)
    change: ChangeCosts = field(default_factory=ChangeCosts)
    search: SearchLimits = field(default_factory=SearchLimits)
    alternatives: AlternativeLimits = field(default_factory=AlternativeLimits)
    decision: DecisionThresholds = field(default_factory=DecisionThresholds)
    accusation: AccusationThresholds = field(default_factory=AccusationThresholds)
    attempt: AttemptLimits = field(default_factory=AttemptLimits)
    debounce: DebounceTimes = field(default_factory=DebounceTimes)
    position_fit: PositionFitLimits = field(default_factory=PositionFitLimits)
    explanation: ExplanationLimits = field(default_factory=ExplanationLimits)

    def on(self, layout: Layout, is_marked: bool) -> Tuning:
        """The numbers for this board: on a board of cards distances are larger, but only where the table
        `is_marked`, as otherwise cards waiting beside the board are as near to its spaces as those on it."""
        if not is_marked or not any(placed.piece.kind is Kind.CARD for placed in layout.board):
            return self
        places, rates, wider = self.places, self.likelihood, self.places.among_cards
        return replace(
            self,
            places=replace(
                places, elsewhere=wider * places.elsewhere, same=wider * places.same, strange=wider * places.strange
            ),
            likelihood=replace(rates, max_offset=wider * rates.max_offset, spread=wider * rates.spread),
        )


TUNING = Tuning()
