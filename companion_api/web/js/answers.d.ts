// Made of the server's OpenAPI document by tests/companion_api/page/answer_types.py; not to be changed by hand.

export interface Accomplished {
  ok: boolean;
}

export interface AccuracyTold {
  typical_mm: number;
  worst_mm: number;
}

export interface Act {
  verb: string;
  args: (string | ValueTold)[];
}

export interface Acted {
  seq: number;
  at: number;
  by: string;
  evidence?: string | null;
  margin?: number | null;
  kind: "action" | "laid";
  luck?: number | null;
  actions: ActionTold[];
}

export interface ActionTold {
  id: string | null;
  text: string | null;
  verb?: string | null;
  args?: (string | ValueTold)[] | null;
  seat: number | null;
  effects: Happened[];
  secret?: boolean | null;
}

export interface AdviceTold {
  code: string;
  words: string;
  facts: Record<string, number | string>;
}

export interface After {
  layout: Drawn;
  effects: Happened[];
}

export interface Alternative {
  layout: Drawn;
  effects: Happened[];
  actions: string[];
  acts: Act[];
  text: string;
}

export interface AnswerTakeback {
  expected?: number | null;
  key?: string | null;
  seq: number;
  agree: boolean;
}

export interface Asked {
  seq: number;
  at: number;
  by: string;
  verdict: VerdictKind;
  action: string | null;
  actions: string[];
  choices: Possible[];
  refusal: Refused | null;
  attempt: string | null;
  blamed?: string[] | null;
  effects: Happened[];
  undone: number;
  text: string;
  said: SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold;
  differences: string[];
  back: string[];
  said_differences: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold)[];
  said_back: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold)[];
  wrong: LiesWrong[];
  margin: number;
  kind: "verdict";
  evidence: string | null;
  before?: string | null;
  box?: number[] | null;
}

export interface Back {
  seq: number;
  by: string;
  count: number;
  seats: number[];
}

export interface Better {
  index: number;
  seat: number | null;
  code: "win" | "draw" | "route";
  actions: Named[];
}

export interface Board {
  table: string;
  seq: number;
  version: number;
  state: number;
  game: GameHead;
  options: Record<string, boolean | number | string>;
  seats: SeatAtTable[];
  you: You;
  wanted: ShareRequest[];
  status: string;
  simulated: boolean;
  hints: boolean;
  turn: TurnTold;
  layout: Drawn;
  diagram: string;
  legal: Listed[];
  open: Listed[];
  complete: boolean;
  luck_by: Luck | null;
  together: Together | null;
  scores: number[];
  outcome: GameResult;
  pending: Judged | null;
  disputes: Disputed[];
  actions: number;
  clock: Time | null;
  luck: LuckTold | null;
  takeback: Back | null;
  taken_back: Back | null;
}

export interface Calibration {
  problem: string | null;
  problem_said: SentenceTold | null;
  steps: GuideStepTold[];
  quality: QualityTold | null;
  check: Checked | null;
  made: string;
  sheets: number;
  sets: TaughtSetTold[];
  using: string | null;
  tuning: TuningTold | null;
  can_tune: boolean;
}

export type CalibrationState = "true" | "bumped" | "unsure";

export interface CameraView {
  picture: true;
  width: number;
  height: number;
  at: number;
  pieces: SeenPiece[];
  timings_ms: Record<string, number>;
}

export interface Cameras {
  used: string;
  choices: string[];
  blind: string | null;
  blind_said: SentenceTold | null;
  secure_port: number | null;
}

export interface Card {
  id: string;
  name: string;
  version: number;
  seats: number[];
  default_seats: number;
  options: Option[];
  verbs: VerbTold[];
  turns: TurnKind[];
  needs: string;
  hidden: boolean;
  designer: string;
  minutes: string;
  summary: string;
  presets: Preset[];
}

export interface Carried {
  state: number;
  choices: Named[];
  refusal: Refused | null;
}

export interface Checked {
  standing: CalibrationState;
  moved_mm: number;
  turned_deg: number;
  words: string;
}

export interface Choose {
  source: string;
}

export interface Claim {
  expected?: number | null;
  key?: string | null;
  text?: string;
  seq?: number | null;
}

export interface Claimed {
  seq: number;
  at: number;
  by: string;
  kind: "claim";
  text: string;
  about: number | null;
  pictures: Pictures;
  question?: number | null;
}

export interface Compared {
  table: string;
  explanations: Explained[];
  decided: string[];
}

export interface Correct {
  expected?: number | null;
  key?: string | null;
  seq: number;
  actions: (string | Record<string, unknown>)[];
}

export interface Corrected {
  seq: number;
  at: number;
  by: string;
  kind: "corrected";
  corrects: number;
  dropped: number;
  actions: ActionTold[];
}

export interface CostTerm {
  term: TermKind;
  nats: number;
  piece: string | null;
  place: string | null;
  what: string | ValueTold | null;
  where: string | ValueTold | null;
  seen: string | null;
  at: number[] | null;
  note: string;
  kind: Kind | null;
  owner: number | null;
}

export interface Decided {
  seq: number;
  at: number;
  by: string;
  upheld: boolean;
  text: string;
  about?: number | null;
  action?: string | null;
  legal?: boolean | null;
  clause?: string | null;
  code?: string | null;
  reasons?: string[] | null;
  said_reasons?: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | string)[] | null;
  again?: Judged | null;
  ruling?: string | null;
  seal?: string | null;
  kind: "ruling" | "overruled";
  claim: number;
}

export interface Disputed {
  claim: number;
  by: string;
  text: string;
  about: number | null;
  pictures: Pictures;
  question?: number | null;
  rulings: Ruled[];
}

export interface DoAction {
  expected?: number | null;
  key?: string | null;
  action: string | Record<string, unknown>;
  asked_of?: number | null;
}

export interface DrawBox {
  box: [number, number, number, number];
  suit?: string | null;
  value?: string | null;
}

export interface Drawn {
  unit: "inch";
  pieces: LaidPiece[];
  places: NamedPlace[];
  borders: [number, number, number, number][];
}

export interface DropPage {
  page: number;
}

export type EffectKind = "place" | "move" | "flip" | "rotate" | "take" | "remove" | "reveal" | "roll" | "pay" | "choose" | "attack" | "collapse" | "eliminate" | "score" | "phase" | "turn" | "end";

export interface EffectValues {
  attackers?: (string | ValueTold)[] | null;
  defenders?: (string | ValueTold)[] | null;
  places?: (string | ValueTold)[] | null;
  lost?: (string | ValueTold)[] | null;
  same_as?: (string | ValueTold)[] | null;
  for?: (string | ValueTold)[] | string | ValueTold | null;
  number?: string | ValueTold | null;
  tile?: string | ValueTold | null;
  face?: string | ValueTold | null;
  candidate?: string | ValueTold | null;
}

export interface Enter {
  id: string;
  secret: string;
}

export interface Entered {
  token: string;
  table: string;
  role: Role;
  seat: number | null;
  board: Board;
}

export interface Evenings {
  people: Regular[];
  games: PlayedGame[];
}

export type EventTold = Started | Joined | Moved | Acted | Corrected | TakenBack | PutBack | Sealed | Asked | Claimed | Decided | Timed | Noted;

export interface Explained {
  actions: string[];
  acts: Act[];
  text: string;
  nats: number;
  terms: CostTerm[];
}

export type Face = "front" | "back";

export interface FirstTime {
  first: boolean;
}

export interface FittedTable {
  layout: Drawn;
  effects: Happened[];
  state: number;
  turn: TurnTold;
  seats: number[];
  rest: LiesWrong[];
}

export interface Forbidden {
  ok: false;
  state: number;
  refusal: Refused;
}

export interface GameHead {
  id: string;
  name: string;
  rules: number;
  hidden: boolean;
  by_tiles: boolean;
}

export interface GameResult {
  over: boolean;
  winners: number[];
  scores: number[];
  reason: string;
  clause: string;
  drawn: boolean;
  others: Record<string, number>;
  said: SentenceTold | null;
}

export interface GuideStepTold {
  id: string;
  title: string;
  words: string;
  needed: boolean;
  done: boolean;
}

export interface HallInvitation {
  url: string;
  name: string;
}

export interface HallOfTable {
  joined: boolean;
  connected: boolean;
  server: string;
  name: string;
}

export interface HandArea {
  zone: Zone;
  seat: number | null;
  corners: [number, number][];
}

export interface Happened {
  kind: EffectKind;
  piece?: string | null;
  thing?: PieceTold | null;
  key?: string | null;
  from?: SpotTold | null;
  to?: SpotTold | null;
  seat?: number | null;
  other?: number | null;
  amount?: number | null;
  clause?: string | null;
  facts?: Sums | null;
  values?: EffectValues | null;
  said?: SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | null;
}

export interface Hint {
  id: string | null;
  state: number;
}

export interface Incidents {
  incidents: string[];
}

export interface JoinCodes {
  player: string;
  host?: string | null;
}

export interface JoinTable {
  code: string;
  name?: string;
  role?: "player" | "spectator" | "screen";
  seat?: number | null;
  arriving?: boolean;
}

export interface Joined {
  seq: number;
  at: number;
  by: string;
  kind: "joined";
  name: string;
  seat?: number | null;
  phone?: string | null;
  along?: boolean | null;
  stood?: number | null;
  host_code?: number | null;
}

export interface Judged {
  verdict: VerdictKind;
  action: string | null;
  actions: string[];
  choices: Possible[];
  refusal: Refused | null;
  attempt: string | null;
  blamed?: string[] | null;
  effects: Happened[];
  undone: number;
  text: string;
  said: SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold;
  differences: string[];
  back: string[];
  said_differences: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold)[];
  said_back: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold)[];
  wrong: LiesWrong[];
  margin: number;
}

export type Kind = "tile" | "coin" | "die" | "pawn" | "pyramid" | "card";

export interface LaidPiece {
  key: string;
  kind: Kind;
  suit: Suit | null;
  value: string | null;
  size: Size | null;
  mark: string | null;
  code: string;
  face: Face | null;
  pose: Pose | null;
  position: [number, number];
  angle_deg: number;
  level: number;
  lean: [number, number];
  zone: Zone;
  seat: number | null;
  place: string;
  where?: string | ValueTold | null;
}

export type LaidState = "laid" | "missing" | "wrong" | "extra";

export interface Lay {
  expected?: number | null;
  key?: string | null;
  asked_of: number;
  seat?: number | null;
}

export interface LearntLooks {
  faces: number;
  new: number;
  kinds: Record<string, number>;
  name: string | null;
  offered: boolean;
}

export interface LessonBox {
  suit: string | null;
  value: string | null;
  box: [number, number, number, number];
}

export interface LessonDraft {
  step: string;
  width: number;
  height: number;
  found: [number, number][][];
  boxes: LessonBox[];
}

export interface LessonPage {
  step: string;
  width: number;
  height: number;
  doubts: number;
  pieces: LessonPiece[];
}

export interface LessonPiece {
  suit: string | null;
  value: string | null;
  number: number;
  outline_px: [number, number][];
  center_px: [number, number];
  doubt: boolean;
}

export interface LessonPractice {
  drawn: number;
  tables: number;
  problem: string | null;
  problem_said: SentenceTold | null;
}

export interface LessonStep {
  id: string;
  words: string;
  needed: boolean;
  names: PieceName[];
}

export interface LessonTold {
  steps: LessonStep[];
  pages: LessonPage[];
  missing: string[];
  draft: LessonDraft | null;
  practice: LessonPractice | null;
}

export interface LetIn {
  open: boolean;
}

export interface LiesWrong {
  should: LaidPiece | null;
  lies: LaidPiece | null;
}

export interface LightTold {
  score: number;
  stops: number;
  blown: number;
  contrast: number;
  evenness: number;
  glare: number[][];
  shade: number[][];
}

export interface Listed {
  verb: string;
  args: (string | ValueTold)[];
  id: string;
  text: string;
  said: SentenceTold | null;
  touches: string[];
  lays: boolean;
  plain: boolean;
  picture: Picture | null;
  seat: number | null;
  common: boolean;
}

export type Luck = "roll" | "draw" | "deal" | "begin";

export interface LuckTold {
  hash: string;
  seed: string | null;
  draws: number;
}

export interface MarkHands {
  areas: Marked[];
}

export interface Marked {
  zone: "hand" | "spent" | "supply";
  seat?: number | null;
  corners: [number, number][];
}

export interface MeasurePlane {
  corners?: [number, number][] | null;
  width?: number;
  height?: number;
}

export interface MentionTold {
  action: string;
  words: string;
  verb?: string | null;
  args?: (string | ValueTold)[] | null;
}

export interface Misread {
  type: string;
  loc: (string | number)[];
  msg: string;
}

export interface Moved {
  seq: number;
  at: number;
  by: string;
  kind: "moved";
  table: string;
  places?: number[] | null;
}

export interface NameSet {
  name?: string;
}

export interface Named {
  verb: string;
  args: (string | ValueTold)[];
  id: string;
  text: string;
}

export interface NamedPlace {
  name: string;
  position: [number, number];
  size: [number, number];
  grid: [string, string] | null;
}

export interface Needed {
  kind: Kind;
  count: number;
}

export interface NewTable {
  game: string;
  options?: Record<string, unknown>;
  seats?: unknown;
}

export interface NotDone {
  detail: string | Why | Misread[];
  said?: SentenceTold | null;
  safe_mode?: boolean | null;
}

export interface NoteFacts {
  phone?: string | null;
  name?: string | null;
  seat?: number | null;
  mm?: number | null;
  degrees?: number | null;
  count?: number | null;
  seats?: number[] | null;
  incident?: string | null;
}

export interface Noted {
  seq: number;
  at: number;
  by: string;
  kind: "note";
  code: string;
  text: string;
  facts: NoteFacts;
}

export interface Open {
  id: string;
}

export interface Option {
  name: string;
  default: boolean | number | string;
  choices: (boolean | number | string)[];
  low: number | null;
  high: number | null;
  clause: string;
  text: string;
}

export interface OtherReading {
  suit: Suit | null;
  value: string | null;
  p: number;
}

export interface OwnPieces {
  enough: boolean;
  known: Record<string, string>;
}

export interface Part {
  before: string;
  ways: Way[];
}

export interface Past {
  seq: number;
  layout: Drawn;
  turn: TurnTold;
  scores: number[];
}

export interface PersonTold {
  seat: number;
}

export interface Picture {
  kind: Kind;
  suit: Suit | null;
  value: string | null;
  mark: string | null;
  face: Face | null;
  onto?: string | ValueTold | null;
}

export interface Pictures {
  before?: string | null;
  after?: string | null;
  now?: string | null;
}

export interface PieceName {
  suit: string | null;
  value: string | null;
}

export interface PieceToLay {
  key: string;
  kind: Kind;
  suit: Suit | null;
  value: string | null;
  size: Size | null;
  mark: string | null;
  code: string;
  face: Face | null;
  pose: Pose | null;
  position: [number, number];
  angle_deg: number;
  level: number;
  lean: [number, number];
  zone: Zone;
  seat: number | null;
  place: string;
  where?: string | ValueTold | null;
  standing: LaidState;
  outline_px: [number, number][];
}

export interface PieceTold {
  kind: Kind;
  suit: Suit | null;
  value: string | null;
  size: Size | null;
  mark: string | null;
}

export interface PlayedGame {
  table: string;
  at: number;
  game: string;
  people: string[];
  winners: string[];
}

export interface Points {
  seq: number;
  scores: number[];
}

export type Pose = "upright" | "flat";

export interface Possible {
  action: string;
  actions: string[];
  acts?: Act[] | null;
  text: string;
  p: number;
}

export interface Post {
  expected?: number | null;
  key?: string | null;
}

export interface Posted {
  ok?: boolean;
  seq: number;
}

export interface Preset {
  name: string;
  options: Record<string, boolean | number | string>;
}

export interface Preview {
  verb: string;
  args: (string | ValueTold)[];
  id: string;
  text: string;
  ok: true;
  state: number;
  effects: Happened[];
  ghosts: LaidPiece[];
  gone: string[];
}

export interface PutBack {
  seq: number;
  at: number;
  by: string;
  kind: "redo";
  undo: number;
  count: number;
  seats: number[];
}

export interface QualityTold {
  tiles: number;
  tile_px: number;
  sharpness: number;
  tilt_deg: number | null;
  distance_mm: number | null;
  error_mm: number | null;
  light: LightTold;
  good: boolean;
  advice: AdviceTold[];
}

export interface ReasonTold {
  ok: false;
  state: number;
  refusal: Refused | null;
}

export interface Refused {
  code: string;
  clause: string;
  text: string;
  facts: Record<string, unknown>;
  said: SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold;
}

export interface Regular {
  name: string;
  games: number;
  won: number;
  by_game: Record<string, number>;
}

export interface Rename {
  page: number;
  number: number;
  suit?: string | null;
  value?: string | null;
}

export interface Replay {
  table: string;
  solved: boolean;
  game: GameHead;
  seats: SeatAtTable[];
  outcome: GameResult;
  steps: Step[];
}

export type Role = "host" | "player" | "spectator" | "screen";

export interface Rule {
  expected?: number | null;
  key?: string | null;
  claim: number;
  text: string;
  upheld: boolean;
  actions?: (string | Record<string, unknown>)[];
}

export interface Ruled {
  upheld: boolean;
  text: string;
  about?: number | null;
  action?: string | null;
  legal?: boolean | null;
  clause?: string | null;
  code?: string | null;
  reasons?: string[] | null;
  said_reasons?: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | string)[] | null;
  again?: Judged | null;
  ruling?: string | null;
  seal?: string | null;
  seq: number;
  kind: "ruling" | "overruled";
  by: string;
  claim: number;
}

export interface RunClock {
  expected?: number | null;
  key?: string | null;
  run: boolean;
}

export interface SavedGame {
  text: string;
}

export interface ScreenRequest {
  id: string;
  secret: string;
}

export interface Sealed {
  seq: number;
  at: number;
  by: string;
  kind: "luck";
  hash: string;
}

export interface SeatAtTable {
  seat: number;
  name: string;
  suit: Suit | null;
  held: string[];
  out: boolean;
}

export interface SeatGiven {
  name: string;
  suit: Suit | null;
}

export interface Seated {
  token: string;
  table: string;
  role: Role;
  seat: number | null;
  asked?: boolean | null;
}

export interface SeenOnPhoto {
  pieces: number;
  verdict: Judged | null;
}

export interface SeenPiece {
  mark?: string | null;
  kind: Kind;
  suit: Suit | null;
  value: string | null;
  face: Face | null;
  size: Size | null;
  pose: Pose | null;
  center_px: [number, number];
  outline_px: [number, number][];
  angle_deg: number | null;
  position: [number, number] | null;
  level: number | null;
  table_angle_deg: number | null;
  confidence: number;
  certainty: number;
  alternatives: OtherReading[];
}

export interface SentenceTold {
  key: string;
  many?: string | null;
  facts?: Record<string, string | number | SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | null>;
}

export interface SetChosen {
  name: string;
}

export interface SetClock {
  expected?: number | null;
  key?: string | null;
  minutes: number;
  increment?: number;
}

export interface SetKept {
  name: string;
  warnings: string[];
}

export interface SetUp {
  seen: boolean;
  found: boolean;
  pieces: PieceToLay[];
  differences: string[];
  said_differences: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold)[];
  needed: Needed[];
  width?: number | null;
  height?: number | null;
}

export interface SeveralFacts {
  several: (string | number | SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | null)[];
  joint: string;
}

export interface ShareRequest {
  seat: number;
  phone: string;
  name: string;
}

export interface ShareSeat {
  phone: string;
  seat: number;
  agree: boolean;
}

export interface Sheet {
  lies?: boolean;
}

export interface SheetCount {
  sheets: number;
}

export interface ShippedChosen {
  using: null;
}

export interface ShowPage {
  step: string;
  incomplete?: boolean;
  watching?: boolean;
}

export interface Shown {
  pieces: number;
  doubts: number;
}

export type Size = "small" | "medium" | "large" | "A" | "B" | "C" | "D" | "E" | "F";

export interface Solution {
  counts: "moves" | "left";
  needed: number | null;
  taken: number;
  steps: SolvedStep[];
}

export interface SolvedStep {
  action: Named | null;
  layout: Drawn;
  scores: number[];
}

export interface SpotTold {
  place: string;
  position: [number, number] | null;
  zone: Zone;
  seat: number | null;
  value?: string | ValueTold | null;
  where?: string | ValueTold | null;
}

export interface StageIncident {
  incident?: string;
}

export interface StagedIncident {
  staged: string;
}

export interface Started {
  seq: number;
  at: number;
  by: string;
  kind: "started";
  game: string;
  rules: number;
  options: Record<string, boolean | number | string>;
  seats: SeatGiven[];
}

export interface Step {
  event: EventTold | null;
  layout: Drawn;
  scores: number[];
}

export interface Study {
  solution: Solution | null;
  better: Better[];
}

export type Suit = "suns" | "moons" | "crowns" | "arms";

export interface Sums {
  attackers?: string[] | null;
  defenders?: string[] | null;
  strength?: number | null;
  defence?: number | null;
  zombies?: number | null;
  damage?: number | null;
  victim_coins?: number | null;
  success?: boolean | null;
  target?: string | null;
  places?: string[] | null;
  lost?: string[] | null;
  same_as?: string[] | null;
  number?: string | number | null;
  tile?: string | null;
  face?: string | number | null;
  why?: string | null;
  sealed?: boolean | null;
  cancelled?: boolean | null;
  void?: boolean | null;
  pawns_left?: number | null;
  [more: string]: unknown;
}

export interface SwapNames {
  page: number;
  first: string;
  second: string;
}

export interface TakeSeat {
  seat: number | null;
  name?: string;
}

export interface TakenBack {
  seq: number;
  at: number;
  by: string;
  evidence?: string | null;
  margin?: number | null;
  kind: "undo";
  count: number;
  seats?: number[] | null;
  granted?: string | null;
}

export interface TaughtSetTold {
  name: string;
  pieces: number;
  faces: number;
  leaks: string[];
  trials: TrialTold[];
  kept: boolean;
  tuned: boolean;
  other: boolean;
  brings: TuningBrings | null;
}

export type TermKind = "piece" | "sighting" | "region" | "beside" | "prior" | "unsaid";

export interface Time {
  left: number[];
  ticking: number[];
  run: boolean;
  held: boolean;
  minutes: number;
  increment: number;
}

export interface Timed {
  seq: number;
  at: number;
  by: string;
  kind: "clock";
  minutes?: number | null;
  increment?: number | null;
  run?: boolean | null;
  held?: boolean | null;
  away?: boolean | null;
}

export interface Together {
  parts: Part[];
  end: string;
}

export interface TrialTold {
  looks: number;
  read: number;
  taught: number;
  kind: string;
  used: boolean;
}

export interface TuningBrings {
  looks: number;
  read: number;
  taught: number;
}

export interface TuningTold {
  name: string;
  phase: "begin" | "again" | "own" | "others" | "steps" | "trial";
  done: number;
  there: number;
  problem: string | null;
  problem_said: SentenceTold | null;
}

export type TurnKind = "seat" | "chance" | "all" | "over";

export interface TurnTold {
  kind: TurnKind;
  seats: number[];
  phase: string;
}

export interface Undo {
  expected?: number | null;
  key?: string | null;
  count?: number;
}

export interface Unseen {
  picture: false;
}

export interface Used {
  used: string;
}

export interface ValueTold {
  kind?: Kind | null;
  suit?: Suit | null;
  value?: string | null;
  size?: Size | null;
  mark?: string | null;
  place?: string | null;
  called?: string | null;
  way?: string | null;
  seat?: number | null;
  word?: string | null;
  of?: string | null;
  count?: number | null;
  all?: (string | ValueTold)[] | null;
  joint?: string | null;
}

export interface VerbTold {
  name: string;
  params: string[];
  clause: string;
}

export type VerdictKind = "settled" | "accepted" | "ambiguous" | "refused" | "impossible";

export interface Way {
  code: string;
  value: string | ValueTold;
  picture: Picture | null;
}

export interface Welcome {
  token: string;
  table: string;
  role: Role;
  seat: number | null;
}

export interface Why {
  text?: string | null;
  said?: SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | null;
  code?: string | null;
  reason?: string | null;
  facts?: Record<string, string | number> | null;
  refusal?: Refused | null;
  seq?: number | null;
  [more: string]: unknown;
}

export interface WhyJudged {
  verdict: VerdictKind;
  text: string;
  said: SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold;
  hidden: boolean;
  comparisons: Compared[];
  notes: string[];
}

export interface You {
  role: Role;
  seat: number | null;
  name: string;
  phone: string;
}

export type Zone = "board" | "hand" | "spent" | "supply";

export interface Gets {
  "hall": HallOfTable;
  "games": Card[];
  [path: `games/${string}/sketch`]: Drawn;
  "codes": JoinCodes;
  "board": Board;
  "history": EventTold[];
  [path: `at/${string}`]: Past;
  "scores": Points[];
  [path: `reasons/${string}`]: WhyJudged;
  "lying": FittedTable;
  "why": Preview | Forbidden;
  "hint": Hint;
  "whynot": ReasonTold;
  "spots": [number, number][];
  "carried": Carried;
  "after": After;
  [path: `alternatives/${string}`]: Alternative[];
  "cameras": Cameras;
  "first": FirstTime;
  "camera": CameraView | Unseen;
  "pieces": OwnPieces;
  "setup": SetUp;
  "hands": HandArea[];
  "calibration": Calibration;
  "calibration/teach": LessonTold;
  "calibration/teach/learnt": LearntLooks;
  "demo": Incidents;
  [path: `replay/${string}`]: Replay;
  [path: `study/${string}`]: Study;
  "evenings": Evenings;
}

export interface Posts {
  "hall": HallOfTable;
  "hall/leave": HallOfTable;
  "join": Entered;
  "seat": Seated;
  "seat/share": Accomplished;
  "tables": Welcome;
  "rematch": Welcome;
  "follow": Welcome;
  "knock": ScreenRequest;
  "knock/open": Accomplished;
  "knock/enter": LetIn;
  "actions": Posted;
  "luck": Posted;
  "undo": Posted;
  "takeback": Posted;
  "redo": Posted;
  "corrections": Posted;
  "clock": Posted;
  "clock/run": Posted;
  "lying": Posted;
  "claims": Posted;
  "rulings": Posted;
  "cameras": Used;
  "photo": SeenOnPhoto;
  "hands": HandArea[];
  "calibration/plane": AccuracyTold;
  "calibration/sheet": AccuracyTold | SheetCount;
  "calibration/teach": Shown;
  "calibration/teach/board": Shown;
  "calibration/teach/box": LessonTold;
  "calibration/teach/unbox": LessonTold;
  "calibration/teach/rename": LessonTold;
  "calibration/teach/swap": LessonTold;
  "calibration/teach/drop": LessonTold;
  "calibration/teach/finish": SetKept;
  "calibration/teach/enough": LessonTold;
  "calibration/teach/learnt": LearntLooks;
  "calibration/teach/end": LessonTold;
  "calibration/teach/choose": SetChosen;
  "calibration/teach/other": SetChosen;
  "calibration/teach/tune": SetChosen;
  "calibration/teach/tune/stop": SetChosen;
  "calibration/teach/shipped": ShippedChosen;
  "calibration/teach/forget": SetChosen;
  "demo/stage": StagedIncident;
  "import": Welcome;
}

export interface Sends {
  "hall": HallInvitation;
  "join": JoinTable;
  "seat": TakeSeat;
  "seat/share": ShareSeat;
  "tables": NewTable;
  "knock/open": Open;
  "knock/enter": Enter;
  "actions": DoAction;
  "luck": Post;
  "undo": Undo;
  "takeback": AnswerTakeback;
  "redo": Post;
  "corrections": Correct;
  "clock": SetClock;
  "clock/run": RunClock;
  "lying": Lay;
  "claims": Claim;
  "rulings": Rule;
  "cameras": Choose;
  "hands": MarkHands;
  "calibration/plane": MeasurePlane;
  "calibration/sheet": Sheet;
  "calibration/teach": ShowPage;
  "calibration/teach/box": DrawBox;
  "calibration/teach/rename": Rename;
  "calibration/teach/swap": SwapNames;
  "calibration/teach/drop": DropPage;
  "calibration/teach/finish": NameSet;
  "calibration/teach/learnt": NameSet;
  "calibration/teach/choose": NameSet;
  "calibration/teach/other": NameSet;
  "calibration/teach/tune": NameSet;
  "calibration/teach/tune/stop": NameSet;
  "calibration/teach/forget": NameSet;
  "demo/stage": StageIncident;
  "import": SavedGame;
}
