"""Every number that the referee's judgement hangs on, in one frozen value, each with where it comes from.

Surprise is in nats: a nat is odds of one in 2.7, three nats one in twenty, six nats one in four hundred. Lengths are in
spaces, half a tile side. Where a number comes from is the word in brackets:

- set: it follows from how large the pieces are and how they lie together.
- odds: a probability that somebody who knows tables would name, as nats; not fitted to anything.
- trials: settled so that games with simulated sightings are followed and illegal acts are refused with their own rule
  (`python -m tests.bench synthetic --illegal N`).
- pictures: settled so that drawn games are followed from pictures (`python -m tests.bench record`, `judge`).
- people: what people at a table can bear: how long to wait, how much to read.
- budget: it bounds work; more of it costs time and finds little more.

What nobody wants to turn (a least value against the logarithm of nought, a rounding) stands where it is used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.engine.refusal import Code
from rules.pieces import Kind
from rules.pieces.sizes import USUAL_THICKNESS
from rules.table.layout import Layout, Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """When two things lie at one spot."""

    elsewhere: float = 0.3
    """What lies farther away lies elsewhere (set: less than half a coin's width, and no pair of eyes errs so far)."""
    same: float = 0.25
    """What is this near lies on one spot (set: a third of a coin's width)."""
    strange: float = 0.35
    """A strange sighting this near to where there was one is the same (pictures)."""
    aside: float = 0.7
    """What is this near to where its like lay beside the board lies there still (pictures: a camera fitted to the
    board errs the more the farther off it is asked; less than a space)."""
    at_rest: float = 0.25
    """A die that has not gone farther and shows what it showed was not thrown (set: less than its half width)."""
    pushed: int = 3
    """So many dice that all show what they showed were pushed, not thrown (odds: one throw of 216 falls so)."""
    same_face: float = 0.2
    """A die at rest may show what it showed before with so little chance (odds: of dice as small as these one look in
    five names another face)."""
    misread: float = 0.05
    """What a piece showed may be so improbable now without its having been turned (odds)."""
    among_cards: float = 1.7
    """On a board of cards spaces are three times as far apart, nobody lays them so exactly, and a printed frame is
    easily taken for an edge: so many times these lengths are meant there (set: still short of the next card)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heights:
    """How high pieces lie and what they cover; nought is the top of a tile on the table."""

    tile: float = USUAL_THICKNESS[Kind.TILE]
    """(set: 4 to 6 mm of 25 mm, between the editions; `Perspective` scales it.)"""
    coin: float = USUAL_THICKNESS[Kind.COIN]
    """(set: 3 to 4.5 mm of 25 mm, between the editions.)"""
    card: float = USUAL_THICKNESS[Kind.CARD]
    """(set: a third of a millimetre.)"""
    standing: float = 0.4
    """What is taken for the middle of a piece that stands lies about so high (set: a third of a pawn)."""
    partly: float = 0.35
    """The share of a piece that another covers in part; of less nothing is asked (trials)."""
    hidden: float = 0.7
    """A tile of which so much is covered is not seen (trials)."""
    covered: float = 0.2
    """And of which so much is covered, partly (trials)."""
    on_top: float = 0.5
    """A small piece this near to the middle of a tile hides what is printed there (set)."""
    printed: float = 0.5
    """So much of such a tile is open to view (trials)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseSearchLimits:
    """Where the board lies on the table: the likelihood of a pose, and how poses are sought."""

    recall: float = 0.9
    """So many of the pieces that are open to view are seen (measured: .88 to .96, by kind, on foreign sets)."""
    noise: Mapping[Kind, float] = field(
        default_factory=lambda: MappingProxyType(
            {Kind.TILE: 0.07, Kind.COIN: 0.09, Kind.CARD: 0.12, Kind.DIE: 0.15, Kind.PAWN: 0.15, Kind.PYRAMID: 0.15}
        )
    )
    """So exactly pieces lie and are found, in spaces (pictures: what stands leans and is pushed about)."""
    outliers: float = 0.1
    """Such a share of all places and sides is not as exact (the usual share of outliers in a robust fit)..."""
    farther: float = 3.0
    """... and so many times farther off (the usual choice)."""
    askew_deg: float = 8.0
    """So many degrees the sides of tiles and cards are off (pictures: on a plane that was taken wrongly)."""
    strays: float = 1.0
    """So many things of a kind are seen that are not in the game, beside those that wait there (pictures)..."""
    table: float = 600.0
    """... on so many square spaces (set: a table of 30 by 20 inches)."""
    misread: float = 0.15
    """So many names are wrong (measured: .07 to .14 on foreign sets)."""
    wrong_side: float = 0.05
    """So many pieces are seen from the other side, or with another mark (odds)."""
    slant: float = 0.6
    """So far, for each space of height, a slanting view may displace what lies high (set: seen at 59 degrees)."""
    shape: float = 0.8
    """A plane that was taken wrongly stretches the board's edge by so many spaces (pictures: laid through three
    tiles)..."""
    place: float = 0.5
    """... shifts it by so many (pictures)..."""
    height: float = 1.2
    """... by so many for each space of height (set: a camera at 40 degrees)..."""
    depth: float = 0.8
    """... and by so many because one side of it is nearer (pictures)."""
    wrong: tuple[float, ...] = (0.2, 1.0)
    """... or by such a share of all that (pictures: planes laid through many tiles and through three)."""
    turned_over: float = 0.25
    """A picture that shrinks areas to less than this is of no board that lies face up (set)."""
    horizon: float = 0.8
    """And one whose depth changes by more from edge to edge is cut by the horizon (set: 1 is on it)."""
    neighbours: int = 4
    """Each piece names poses together with so many of its neighbours, each sighting with twice as many (budget)."""
    min_scale: float = 0.7
    """The table plane may be so much too small (pictures: 0.87)..."""
    max_scale: float = 1.45
    """... or too large (pictures: 1.22, a printed frame taken for the edge)."""
    cell_turn: float = 6.0
    """Poses are alike when their turns differ by less than so many degrees (set: a space at the edge of a board)..."""
    cell_scale: float = 0.1
    """... their scales by less than such a share (set: the same)..."""
    cell_place: float = 1.0
    """... and where the board's middle lies by less than so many spaces (set: half a tile)."""
    max_starts: int = 24
    """So many poses are tried, of either grid (budget)..."""
    max_refined: int = 6
    """... and so many of them are refined as a camera's view (budget)..."""
    widths: tuple[float, ...] = (4.0, 3.0, 2.0, 1.0, 1.0, 1.0)
    """... while places count as so many times as uncertain as they are (the usual annealing)."""
    min_share: float = 0.35
    """So much of a board must be seen (trials: half a board under hands is still one)."""
    margin_nats: float = 5.0
    """By so many nats one pose is clearly likelier than another (odds: one in a hundred and fifty)."""
    stay_nats: float = 3.0
    """So many nats speak for the pose of before (odds: one board in twenty is turned)."""
    upright_nats: float = 0.1
    """So many nats speak for a board that lies as the camera looks at it (odds: where nothing else at all tells)."""
    apart_spaces: float = 0.6
    """What lies farther from a place of the board than so many spaces is elsewhere (set: a coin's width)."""
    row_spaces: float = 2.6
    """Tiles in a row lie nearer together than so many spaces (set: a tile and a third)."""
    min_pieces: int = 5
    """From so many pieces on it is told how exactly the board was found (odds)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelihoodRates:
    """How surprising what is seen would be if a layout were right."""

    missing_nats: float = 6.0
    """For a piece that is not seen where it should lie (odds: one in four hundred)."""
    extra_nats: float = 6.0
    """For a sighting that no piece explains, at most (odds: the same)."""
    news_nats: float = 1.5
    """A moment is looked at because something was done: so much more is a new piece to be expected there (trials)."""
    foreign_certainty: float = 0.98
    """What the game does not play with at all is believed to lie there from this certainty on (odds: hardly anybody
    lays a coin on a card where there are no coins, and the drawing of a card looks like one)."""
    certain_extra_nats: float = 3.5
    """A sighting that surprises so much is certainly there (odds: certain by nine in ten, with `news_nats`)."""
    beneath: float = 0.8
    """What lies within so much of the middle of a tile would be hidden by it (set: half a side less a rim)..."""
    undisturbed: int = 2
    """... and where so many things are seen to lie as they should, it is no tile (odds: one may have been put back)."""
    wrong_face_nats: float = 5.0
    """For a piece that shows its other side (odds: one in a hundred and fifty)."""
    wrong_pose_nats: float = 5.0
    """For one that lies where it should stand (odds: the same)."""
    wrong_size_nats: float = 2.6
    """For a pyramid of another size (odds: one in thirteen; eyes confuse neighbours, and on some sets always)."""
    max_identity_nats: float = 6.0
    """For another suit or value, at most (odds: one in four hundred)."""
    hope: float = 0.5
    """So many pieces of a sort count as seen before any was (the usual half of a count)."""
    max_offset: float = 0.62
    """What lies farther from its place lies elsewhere (set: nearly a coin's width, short of the next space)."""
    max_tile_offset: float = 0.5
    """The same of a tile: by so much no hand misses where it belongs (set: a quarter of a tile)."""
    spread: float = 0.22
    """How exactly people put pieces and eyes see them (pictures)."""
    in_place_nats: float = 0.05
    """So little surprise is none: a hair beside its place (odds)."""
    likely_chance: float = 0.5
    """What is read with this probability is as it should be (odds: as likely as not)."""
    askew_deg: float = 25.0
    """Degrees by which a piece on its side may point past its direction (people)..."""
    deg_per_nat: float = 8.0
    """... and so many more are a nat of surprise (pictures)."""
    margin: float = 0.9
    """So far beyond its edge a board without anything beside it reaches (set: nearly a space)."""
    margin_beside: float = 0.15
    """And one beside which hands and heaps lie (set)."""
    explained_nats: float = 0.5
    """What surprises no more lies as it should (odds: as likely as not)."""
    mismatch_nats: float = 1.5
    """And what surprises more looks or lies otherwise (odds: one in five)."""
    moved_chance: float = 0.3
    """So likely the piece that is not seen at its place is the one that is seen where none should be (odds)."""
    one_tile_reach: float = 2.4
    """A tile may be laid against any edge of the board (set: a tile's width and a bit)."""
    three_tiles_reach: float = 6.4
    """And where the table is marked out and more are to be laid, three in a row (set)."""
    owned: float = 0.4
    """What lies this near to where somebody's things wait is no part of the board (set: half a coin and a bit)."""
    owned_tile: float = 0.8
    """The same of tiles, cards and pyramids (set)."""
    legible: float = 0.5
    """Of a piece of which so much is open to view, what it is read as counts as of any other (pictures: of 248 tiles
    that something covers in part, read with 0.99 on average, 0.992 rightly; of 279 read with 0.77, 0.82)..."""
    least_share: float = 0.2
    """... and of which little is open to view, at least so much (trials)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffBoardCosts:
    """Hands, heaps and dice. What one piece that came says: much where the table is marked out, little where owners are
    guessed."""

    near_spaces: float = 2.5
    """What lies this near to somebody's things is theirs (set: a row and the gap to the next)."""
    next_card_spaces: float = 4.2
    """A card this near to somebody's cards goes on their row (set: a card's height and the gap to the next)."""
    new_piece_nats: float = 3.0
    """What a card that is new in somebody's row says, or a thing that is new on a spent heap (odds: one in twenty)."""
    known_card_nats: float = 6.0
    """What a new card says that is known by its drawing (odds: as much as something new on the board)."""
    marked_nats: Mapping[Zone, float] = field(
        default_factory=lambda: MappingProxyType({Zone.HAND: 3.0, Zone.SPENT: 3.0, Zone.SUPPLY: 0.0})
    )
    """Where zones are marked (odds: one in twenty; a supply is nobody's business)."""
    guessed_nats: Mapping[Zone, float] = field(
        default_factory=lambda: MappingProxyType({Zone.HAND: 1.5, Zone.SPENT: 1.0, Zone.SUPPLY: 0.0})
    )
    """Where they are not (pictures)."""
    faint_certainty: float = 0.3
    """What is there so certainly is as good as seen (set: the eyes themselves call it seen from there on)."""
    max_idle_nats: float = 3.0
    """If nothing was done, all that came or went beside the board says no more (odds: less than
    `DecisionThresholds.explained_nats`, for people tidy their things)."""
    max_mismatch_nats: float = 3.5
    """For a piece of a heap that shows something else, at most (odds: one in thirty)."""
    max_die_nats: float = 5.0
    """For a die that shows another value, at most (odds: one in a hundred and fifty)."""
    unnamed_chance: float = 0.02
    """A card that can be read is hardly the one of which nothing is said (odds)."""
    doubtful_chance: float = 0.08
    """Beside the likeliest face another one this likely makes a die doubtful (odds: the decision's `margin_nats` as a
    share)."""
    unseen_face_nats: float = 6.0
    """For a face that nobody saw (odds: as much as a piece that is missing)."""
    other_chance: float = 0.2
    """A piece of a heap that is so improbably the expected one is another (odds)."""
    match_chance: float = 0.5
    """And one that is so probably the expected one is it (odds: as likely as not)."""
    suit_chance: float = 0.3
    """A die is taken for one of a suit from this probability on (odds: four dice, hardly more than a guess)."""
    astray_chance: float = 0.05
    """A die that somebody owns lies so improbably among another's things (odds: one in twenty)."""
    max_dice: int = 5
    """Of more dice than that the surest are taken (budget: in how many ways they may be told apart)."""
    max_assignments: int = 12
    """So many ways to tell them apart are compared (budget)."""
    no_die_chance: float = 0.05
    """What is seen as a die of the game is none of them, where there are more than that (odds)."""
    named_chance: float = 0.7
    """What is so certainly what it seems is known by name (odds)."""
    standing_certainty: float = 0.8
    """Where a supply has a pawn and one is seen, however faintly, it is that one (odds: four of five)."""
    still_there_nats: float = 3.0
    """For a piece that was taken from there and is seen to lie there still (odds: one in twenty)."""
    never_seen_nats: float = 0.5
    """For one that was taken from there and was never seen there (odds: most of what lies there is seen)."""
    max_flicker_nats: float = 2.5
    """For something that was seen beside the board and is not seen any more, at most (odds: one in twelve)."""
    strayed_nats: float = 1.0
    """For something that is gone from, or new among, another's things than it should be (odds: one in three)."""
    strayed_card_nats: float = 3.0
    """For a card in another's hand: they lie in rows that are hardly mistaken (odds: one in twenty)."""
    pushed_nats: float = 0.5
    """For something that lies elsewhere than it lay, and for each space that it went (odds: people push their things
    about)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitConfusionRates:
    """What the suits of this set are taken for."""

    same: float = 0.5
    """What shows its value so likely is the piece that should lie there (odds: as likely as not)."""
    believed: float = 2.0
    """So many pieces of a suit, read rightly, the eyes are believed to have read before any (odds)."""
    chance: float = 1.0
    """So many of a suit may be taken for another one by chance (pictures)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionMemory:
    """What the eyes have never shown, and how clearly they show the rest."""

    last_weight: float = 0.4
    """So much the last look counts among all looks at a piece (pictures: three looks are two thirds of it)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCosts:
    """How a picture compared with an earlier one weighs on an explanation. Sizes of traces are in coins."""

    missed_nats: float = 2.0
    """For a piece that the eyes miss where something new is to be seen (pictures)."""
    contradicted_nats: float = 2.5
    """For a piece that the eyes see where the picture shows no change (pictures)."""
    doubt_nats: float = 0.7
    """A place that may or may not have changed denies nothing: so many nats are taken off (odds: as likely as not)."""
    unchanged_nats: float = 6.0
    """For a piece that came or went where nothing changed (odds: one in four hundred)."""
    region_nats: float = 5.0
    """For something new of the size of a piece that an explanation says nothing of (pictures)."""
    unchanged_chance: float = 0.35
    """What has changed no more probably than this is as it was (pictures)."""
    max_keyframes: int = 4
    """So many believed moments are kept, to be fallen back on (budget)."""
    region_margin: float = 1.4
    """Shadows and leaning make a trace so much larger than the piece that left it (pictures)."""
    drawn_aside_spaces: float = 0.75
    """Pieces that share a place are drawn so much nearer or farther apart when one comes or goes (set: a coin)."""
    min_own_share: float = 0.12
    """A trace of which it would leave less is not a piece's own doing (pictures: a row laid with it, not a lamp)."""
    kept_quarters: int = 2
    """Where so many quarters look as they did no tile came or went (set: pieces were put on two of them)."""
    behind_factor: float = 0.15
    """What the eyes make of a piece that stayed counts so much where its neighbour came or went (pictures)."""
    as_before_nats: float = 0.5
    """What the eyes see with no more surprise than this lies as it did (odds: as likely as not)..."""
    sure_certainty: float = 0.8
    """... if they see it so certainly: a coin under a pawn is seen too, but not well (odds:
    `AccusationThresholds.min_certainty`)."""
    touching_share: float = 0.1
    """A piece touches a trace of which it would leave so much (pictures)."""
    edge_spaces: float = 0.4
    """So far beside a piece its traces reach (pictures: shadows)."""
    room_spaces: float = 1.0
    """So far from a free place nobody's things may wait, or it is no part of the board (set: a space)."""
    min_region_coins: float = 0.15
    """What is left of a trace counts from this size on (pictures)."""
    full_region_coins: float = 0.7
    """So much of a trace is all that can count (pictures)."""
    shadow_spaces: float = 2.2
    """So far from what stands the middle of its shadow may lie (set: twice as long as a pawn is high, a lamp at 27
    degrees)."""
    pushed_spaces: float = 1.5
    """What is pushed aside on its place goes no farther than this (set: from one corner of a tile to its middle)."""
    max_shadow_coins: float = 5.0
    """No larger, in coins, is the shadow of one piece (set: as wide as a large pyramid, and twice as long as high)."""
    coin_shadow_spaces: float = 0.9
    """And of a coin's, which is a tenth as high and may fall from the edge of a tile (set: a coin's width and half)."""
    turned_deg: float = 20.0
    """Degrees by which a piece may be turned and still look the same (pictures)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """Which actions are tried, and what has to be paid for believing in them."""

    prior_nats: tuple[float, float, float, float] = (0.0, 0.3, 3.0, 6.0)
    """For one, two, three actions (odds: nobody plays three turns between two pictures unless nothing simpler explains
    them)."""
    value_nats: float = 0.2
    """For a value that dice or coins show (odds: it needs hardly any belief)."""
    unread_nats: float = 2.6
    """For a throw of which the table shows nothing (trials: more than the decision's `margin_nats`, less than a missing
    piece)."""
    informative_nats: float = 0.5
    """By so much a value that is read makes the table less surprising (trials)."""
    other_chance: float = 0.05
    """A piece that is so improbably the expected one is another (odds)."""
    maybe_chance: float = 0.1
    """And so probably it may be the one that is gone (odds)."""
    max_first: int = 4000
    """So many first actions are tried (budget: more than any game has outside of sowing)."""
    max_later: int = 400
    """And so many after others (budget)."""
    max_actions: int = 3
    """So many actions are explained at once (budget; `prior_nats` makes more unbelievable)."""
    beam: int = 10
    """So many explanations are carried on (budget)."""
    guided_beam: int = 24
    """The same where the game itself suggests (budget)."""
    satisfied_nats: float = 2.5
    """What leaves no more unexplained needs no further actions (trials: `DecisionThresholds.margin_nats`)."""
    max_worse_nats: float = 2.0
    """What explains the table by so much worse than nothing is not the first of several actions (trials)."""
    part_nats: float = 3.0
    """What explains the table by so much better than nothing explains a part of it (odds: the accusation's
    `partly_nats`)."""
    max_tables: float = 100
    """So many actions are tried against the table at most; the likely ones come first, the rest is cut (budget: counted
    and not timed, so that a busy machine makes an answer late, never different)."""
    doubtful_chance: float = 0.0025
    """What is no less likely than this share of what it seems to be is thought of as well (odds: the debounce's
    `sure_nats`; a margin counts only over what was thought of)..."""
    posed_chance: float = 0.08
    """A pyramid may stand that seems to lie, or lie that seems to stand, if that is likelier (odds: as
    `DecisionThresholds.margin_nats`)."""
    max_readings: int = 6
    """... in so many ways at most (budget)."""
    max_values: int = 8
    """So many values may be turned up between two pictures: a throw is read die by die (budget)."""
    kept_values: int = 4
    """Of each, so many readings are carried on (budget)."""
    kept_throws: int = 24
    """Of hundreds of throws so many are compared with the whole table (budget: the dice tell which)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeLimits:
    """What else may have led to a table that was believed, once nothing explains the next."""

    max_actions: int = 4
    """So many actions (budget)."""
    beam: int = 12
    """So many ways are carried on (budget)."""
    max_tried: int = 40
    """And so many actions tried after each (budget)."""
    max_alternatives: int = 8
    """So many are followed up (budget)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionThresholds:
    """When a table is explained, doubted, asked about."""

    quiet_nats: float = 0.8
    """Below this surprise nothing worth asking about differs (odds: nearly as likely as not)."""
    explained_nats: float = 4.0
    """Below this a table counts as explained (trials: less than one missing piece)."""
    margin_nats: float = 2.5
    """By so much the best explanation must beat the next (odds: twelve to one)..."""
    ask_nats: float = 1.3
    """... and by so much that nothing was done, for people to be asked whether something was (odds: likely by 78 %)."""
    certain_factor: float = 2.0
    """Something was done for certain if that explains so many times as much (odds: one in a hundred and fifty)."""
    unknown_nats: float = 12.0
    """What leaves more is no true table, whatever was done (measured: of 446 true tables of film and of foreign
    pictures 25 leave more than `explained_nats`, 8 more than 8, 4 more than this)."""
    edit_nats: float = 5.2
    """For believing that a piece was laid somewhere against the rules (odds: one deed in a hundred and eighty, a bit
    less likely than that eyes take a side for the other, `LikelihoodRates.wrong_face_nats`)..."""
    max_edited: int = 4
    """... after one of so many explanations (budget)."""
    min_tables: float = 600
    """Nobody is accused, and no part of what lies there believed, before so many actions have been tried to explain the
    table (budget)."""
    deal_pieces: int = 8
    """Whoever says where so many pieces of the board lie has laid out a table (set: no play touches so many)..."""
    deal_share: float = 0.3
    """... which the picture shows where so many of them look otherwise (pictures: of dark coins turned over on dark
    tiles under a weak lamp one of three does)."""
    max_undo: int = 20
    """So many actions can be taken back on the table (budget)."""
    undo_nats: float = 2.0
    """What has to be paid for believing that something was taken back (odds: it is rarer than an action)."""
    max_rivals: int = 40
    """So many explanations are told apart (budget)."""
    unlike_throw_nats: float = 0.5
    """A throw that is so much less likely than what the dice seem to show is asked about, be no other legal (odds:
    three to two)."""
    hand_spaces: float = 0.6
    """No hand places a piece more exactly than this (set: where pieces may lie anywhere, a coin's width)."""
    max_following_tables: float = 400
    """So many actions are tried at most where answers to an open question are followed up (budget)."""
    max_answers: int = 8
    """So many answers to an open question are followed up (budget)."""
    max_others_chance: float = 0.08
    """Where it is likelier to have been none of these, they are not told by ruling each other out (odds:
    `margin_nats`)."""
    max_answer_actions: int = 8
    """And no farther than so many actions (budget)."""
    max_choices: int = 12
    """So many choices are shown (people)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccusationThresholds:
    """When people are told that a rule was broken, and how much they are told."""

    max_unexplained_nats: float = 1.5
    """What may stay unexplained once the pieces are laid as they are seen to lie (trials)."""
    edit_nats: float = 1.0
    """What has to be paid for believing that a piece was moved against the rules (odds)."""
    min_worse_nats: float = 3.0
    """By so much every legal explanation must be worse (odds: one in twenty)."""
    max_edits: int = 4
    """Nobody is accused of what changed more pieces (trials: three quick steps of a pawn look like that)."""
    min_certainty: float = 0.8
    """What is less certainly there accuses nobody (odds)..."""
    min_witnessed_certainty: float = 0.5
    """... unless it is there as likely as not and the picture shows that it went there (odds: two witnesses)."""
    min_sort_rate: float = 0.7
    """Where less than this share of the pawns or pyramids of one colour is seen, what is seen beside the board accuses
    nobody (pictures: a black pyramid on a dark table is seen every second time)."""
    partly_nats: float = 3.0
    """A legal action that explains so much may be the first of two (odds)."""
    max_starts: int = 3
    """So many such first actions are tried (budget)."""
    max_guesses: int = 3
    """So many guesses are shown (people)."""
    max_meant: int = 24
    """So many legal actions with what was touched are thought of (budget)."""
    far_spaces: float = 6.0
    """What lies farther from where an action would leave it is no nearer than anything else (set: six spaces)."""
    max_differences: int = 6
    """So many differences are told (people)."""
    grouped_pieces: int = 5
    """So many pieces of one place that are not seen are told together (people)."""
    upset_pieces: int = 9
    """Where so many pieces of the board lie otherwise, nobody reads which (people: more than `max_differences`)..."""
    upset_share: float = 0.6
    """... or so large a share of those that are moved on it (people: most of ten coins)..."""
    min_upset_pieces: int = 5
    """... but never fewer than these (people: three moves and a mistake are told one by one)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLimits:
    """Which refused action somebody meant."""

    most_tried: int = 200
    """(budget.)"""
    formal_nats: Mapping[Code, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                Code.EMPTY: 2.0,
                Code.OUT_OF_ORDER: 4.0,
                Code.NO_SUCH_PLACE: 8.5,
                Code.NO_SUCH_PIECE: 8.5,
                Code.WRONG_PHASE: 8.0,
            }
        )
    )
    """Reasons that speak of the form of a question and not of what happened on the table come last (trials); where
    nothing lay, hardly anything was moved: it went the other way."""
    legal_first_nats: float = 2.0
    """For believing that something legal was done first (trials)."""
    unchanged_named_nats: float = 3.0
    """For everything an attempt names that did not change (trials)."""
    unshown_nats: float = 1.0
    """For one that leads to no table that could be compared, but that the game read from the change (trials)."""
    named_nats: float = 1.5
    """And for one that only names what changed (trials)."""
    other_piece_nats: float = 0.7
    """For every further piece that changed (trials)."""
    max_unexplained_nats: float = 4.0
    """What an attempt may leave unexplained (trials: `DecisionThresholds.explained_nats`)."""
    wordless_nats: float = 9.7
    """For "no action does this": worse than an action out of its turn that leaves this very table or names what lies
    there now (trials: above `formal_nats` with `named_nats`)."""
    conjured_nats: float = 4.5
    """For every piece that it brings onto the board and nobody did (trials)."""
    within_spaces: float = 0.6
    """A piece that went farther and still lies on the same place was carried about as no action says (set)."""
    most_legal: int = 80
    """So many legal actions are turned towards what changed (budget)."""
    most_values: int = 8
    """So many values of a parameter that nothing tells are tried (budget)."""
    most_of_a_verb: int = 24
    """So many ways of one verb are tried (budget)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DebounceTimes:
    """How long to be silent."""

    sure_nats: float = 6.0
    """What is legal by so much is said before the table is steady (odds: one in four hundred)."""
    min_looks: int = 2
    """So many looks say the same before anybody is accused or asked (people)."""
    confirm_s: float = 0.8
    """And so long a time lies between them (people: a hand that comes back)."""
    in_hand_s: float = 4.0
    """A piece that is only missing is waited for longer: it is in somebody's hand (people)."""
    wavering_s: float = 4.0
    """Where looks agree that something is to be said, and not what, it is said after so long (people)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionFitLimits:
    """The table taken as it lies, when people ask for it."""

    max_changes: float = 6000
    """So many changes of a state are tried (budget: a millisecond each, and people wait for it)."""
    max_steps: int = 8
    """So many things of a state are changed (budget)."""
    lost_nats: float = 4.0
    """For a piece of the set that would be nowhere, or twice (odds: the decision's `explained_nats`, so that one is too
    many)."""
    max_worse_nats: float = 7.0
    """And so much may be lost by one: a piece goes before another can come (odds: one piece that is missing)."""
    beam: int = 4
    """So many ways are followed (budget)."""
    min_gain_nats: float = 0.5
    """So much must be won by a step (trials)..."""
    max_idle_steps: int = 2
    """... or by so many, or nothing better will be found (budget)."""
    max_nudges: int = 6
    """Where no more things than these carry a piece about, two of them are changed at once (budget)."""
    astray_spaces: float = 2.1
    """A piece that comes so near may only need another corner of its tile (set: a tile)."""
    done_nats: float = 4.0
    """What surprises no more needs no further change (trials: `DecisionThresholds.explained_nats`)."""
    max_rest: int = 6
    """So many pieces may be put right by hand; with more it is no position (people: as many as are told)."""
    near_spaces: float = 0.8
    """So near to where a piece is seen it must come to lie (set: half the way to the next space but one)."""
    max_number: int = 30
    """A number that is no place is tried up to here: tiles, pawns, coins of a hand (set)."""
    shift: int = 8
    """By so much a coordinate is changed to learn its measure (set: more than any rounding)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentLimits:
    """What is laid down beside the board and said to nobody, in a record."""

    max_pieces: int = 8
    """So many pieces are followed, one after the other, with everybody in between keeping theirs (people: two rounds of
    four players)."""
    max_readings: int = 64
    """So many ways to understand them are carried on (budget)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLimits:
    """How a record is followed whose tables allow several readings."""

    max_readings: int = 256
    """So many are followed together (budget)."""
    max_choices: int = 8
    """So many are named (people)."""
    max_between: int = 4
    """So many tables of one turn may stand between two that the rules know (people: a floe breaks after the move)."""
    max_suggested: int = 600
    """So many tables are compared along suggestions, for all readings together (budget)..."""
    min_suggested: int = 40
    """... and for each at least (budget)."""
    max_searched: int = 1_200
    """So many where everything legal is tried (budget)."""
    max_tried: int = 200
    """So many actions are tried for what a table that nothing explains was meant as (budget)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationLimits:
    """How much of an explanation is told."""

    max_ranked: int = 5
    """So many outcomes of one comparison are told (people)."""
    min_nats: float = 0.05
    """Terms below this are summed up as one (people)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """All of them. Whoever judges is given it, and gives each part the group it needs."""

    places: Places = field(default_factory=Places)
    heights: Heights = field(default_factory=Heights)
    pose_search: PoseSearchLimits = field(default_factory=PoseSearchLimits)
    likelihood: LikelihoodRates = field(default_factory=LikelihoodRates)
    off_board: OffBoardCosts = field(default_factory=OffBoardCosts)
    suit_confusion: SuitConfusionRates = field(default_factory=SuitConfusionRates)
    detection: DetectionMemory = field(default_factory=DetectionMemory)
    change: ChangeCosts = field(default_factory=ChangeCosts)
    search: SearchLimits = field(default_factory=SearchLimits)
    alternatives: AlternativeLimits = field(default_factory=AlternativeLimits)
    decision: DecisionThresholds = field(default_factory=DecisionThresholds)
    accusation: AccusationThresholds = field(default_factory=AccusationThresholds)
    attempt: AttemptLimits = field(default_factory=AttemptLimits)
    debounce: DebounceTimes = field(default_factory=DebounceTimes)
    position_fit: PositionFitLimits = field(default_factory=PositionFitLimits)
    payments: PaymentLimits = field(default_factory=PaymentLimits)
    record: RecordLimits = field(default_factory=RecordLimits)
    explanation: ExplanationLimits = field(default_factory=ExplanationLimits)

    def on(self, layout: Layout, is_marked: bool) -> Tuning:
        """As is meant for this board. `is_marked`: the table was marked out; where it was not, what waits beside a
        board of cards is as near to its spaces as what lies on them."""
        if not is_marked or not any(placed.piece.kind is Kind.CARD for placed in layout.board):
            return self
        places, rates, wider = self.places, self.likelihood, self.places.among_cards
        return replace(
            self,
            places=replace(
                places,
                elsewhere=wider * places.elsewhere,
                same=wider * places.same,
                strange=wider * places.strange,
            ),
            likelihood=replace(rates, max_offset=wider * rates.max_offset, spread=wider * rates.spread),
        )


TUNING = Tuning()

EXACT = replace(
    TUNING,
    decision=replace(TUNING.decision, quiet_nats=0.0, explained_nats=0.0),
    search=replace(
        TUNING.search,
        satisfied_nats=0.0,
        max_worse_nats=math.inf,
        max_tables=math.inf,
        max_first=1_000,
        max_later=1_000,
        kept_values=20,
    ),
)
"""How a table is judged that is told and not seen: nothing is forgiven."""
