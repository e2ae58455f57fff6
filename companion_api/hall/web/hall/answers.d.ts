// Made of the server's OpenAPI document by tests/companion_api/page/answer_types.py; not to be changed by hand.

export interface About {
  seq: number;
  text: string;
  actions: Said[];
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

export interface Admitted {
  station: string;
  name: string;
  credentials: string;
  seal: string;
}

export interface AnswerToTable {
  station: string;
  table: string;
  about: number;
  text?: string;
  upheld: boolean;
  actions?: string[];
}

export interface Answered {
  ok: boolean;
  id: string;
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
  said: SentenceTold | InARow | PersonTold | MentionTold | ValueTold;
  differences: string[];
  back: string[];
  said_differences: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold)[];
  said_back: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold)[];
  wrong: LiesWrong[];
  margin: number;
  kind: "verdict";
  evidence: string | null;
  before?: string | null;
  box?: number[] | null;
}

export interface Begun {
  id: string;
}

export interface ChoiceTold {
  actions: string[];
  acts?: Act[] | null;
  text: string;
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

export interface Codes {
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

export interface Corrected {
  seq: number;
  at: number;
  by: string;
  kind: "corrected";
  corrects: number;
  dropped: number;
  actions: ActionTold[];
}

export interface Correction {
  version: number;
  round: number;
  first: string;
  result: string | null;
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
  said_reasons?: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold | string)[] | null;
  again?: Judged | null;
  ruling?: string | null;
  seal?: string | null;
  kind: "ruling" | "overruled";
  claim: number;
}

export interface Door {
  code: string;
  link: string;
}

export interface Doors {
  director: Door;
  umpire: Door;
  guest: Door;
  table: Door;
}

export type EffectKind = "place" | "move" | "flip" | "rotate" | "take" | "remove" | "reveal" | "roll" | "pay" | "choose" | "attack" | "collapse" | "eliminate" | "score" | "phase" | "turn" | "end";

export interface Enter {
  id: string;
  secret: string;
}

export type Face = "front" | "back";

export interface GameForMany {
  id: string;
  name: string;
  seats: number[];
}

export interface GameName {
  id: string;
  name: string;
}

export interface Given {
  at: number;
  by: string;
  text: string;
}

export interface HTTPValidationError {
  detail?: ValidationError[];
}

export type HallRole = "director" | "umpire" | "guest" | "table";

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
  values?: Codes | null;
  said?: SentenceTold | InARow | PersonTold | MentionTold | ValueTold | null;
}

export type Happening = Started | Joined | Moved | Acted | Corrected | TakenBack | PutBack | Sealed | Asked | Claimed | Decided | Timed | Noted;

export interface HowItStands {
  game: GameName;
  seats: string[];
  turn: ToMove;
  scores: number[];
  over: boolean;
  winners: number[];
  reason: string;
  actions: number;
  claims: number[];
  question: number | null;
}

export interface Hubs {
  hubs: string[];
  handed: string;
}

export interface InARow {
  several: (string | number | SentenceTold | InARow | PersonTold | MentionTold | ValueTold | null)[];
  joint: string;
}

export interface InLeague {
  name: string;
  games: number;
  wins: number;
  draws: number;
  points: number;
}

export interface InTournament {
  place: number;
  name: string;
  points: number;
  ties: number[];
  played: number;
}

export interface Inside {
  token: string;
  role: HallRole;
  name: string;
}

export interface JoinHall {
  code?: string;
  name?: string;
  handed?: string;
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
  said: SentenceTold | InARow | PersonTold | MentionTold | ValueTold;
  differences: string[];
  back: string[];
  said_differences: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold)[];
  said_back: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold)[];
  wrong: LiesWrong[];
  margin: number;
}

export type Kind = "tile" | "coin" | "die" | "pawn" | "pyramid" | "card";

export interface Knocked {
  id: string;
  secret: string;
}

export interface KnownStation {
  station: string;
  name: string;
  shut_out: boolean;
}

export interface LetIn {
  open: boolean;
}

export interface LiesWrong {
  should: Lying | null;
  lies: Lying | null;
}

export interface Lying {
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

export interface Me {
  role: HallRole;
  name: string;
  hall: string;
}

export interface MentionTold {
  action: string;
  words: string;
  verb?: string | null;
  args?: (string | ValueTold)[] | null;
}

export interface Moved {
  seq: number;
  at: number;
  by: string;
  kind: "moved";
  table: string;
  places?: number[] | null;
}

export interface NamedPicture {
  when: string;
  name: string;
}

export interface NewTournament {
  name: string;
  kind: TournamentKind;
  game: string;
  players: string[];
  rounds?: number;
  seats?: number;
}

export interface NewVersion {
  version: number;
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

export interface OneTable {
  station: string;
  table: string;
  seq: number;
  began: number;
  at: number;
  standing: HowItStands;
  name: string;
  events: Happening[];
}

export interface Open {
  id: string;
}

export interface OpenQuestion {
  station: string;
  name: string;
  table: string;
  game: GameName;
  seats: string[];
  seq: number;
  at: number;
  kind: string;
  by: string;
  text: string;
  said: SentenceTold | InARow | PersonTold | MentionTold | ValueTold | null;
  about: About | null;
  pictures: NamedPicture[];
  referee: RefereeSays | null;
  clause: string;
  clause_text: string;
  choices: ChoiceTold[];
  differences: string[];
  said_differences: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold)[];
  answer: Given | null;
}

export interface PairingTold {
  players: string[];
  table: string | null;
  result: string | null;
  corrected: string | null;
  results: string[];
}

export interface PersonTold {
  seat: number;
}

export interface Pictures {
  before?: string | null;
  after?: string | null;
  now?: string | null;
}

export interface PieceTold {
  kind: Kind;
  suit: Suit | null;
  value: string | null;
  size: Size | null;
  mark: string | null;
}

export type Pose = "upright" | "flat";

export interface Possible {
  action: string;
  actions: string[];
  acts?: Act[] | null;
  text: string;
  p: number;
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

export interface RefereeSays {
  text: string | null;
  upheld: boolean | null;
  clause: string | null;
  said: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold | string)[];
}

export interface Refused {
  code: string;
  clause: string;
  text: string;
  facts: Record<string, unknown>;
  said: SentenceTold | InARow | PersonTold | MentionTold | ValueTold;
}

export interface Result {
  station: string;
  name: string;
  table: string;
  at: number;
  minutes: number;
  game: GameName;
  seats: string[];
  winners: number[];
  scores: number[];
  reason: string;
}

export interface RoundTold {
  number: number;
  at: number;
  pairings: PairingTold[];
}

export interface RowTold {
  station: string;
  table: string;
  seq: number;
  began: number;
  at: number;
  standing: HowItStands;
  name: string;
}

export interface Said {
  id: string | null;
  text: string | null;
  verb?: string | null;
  args?: (string | ValueTold)[] | null;
}

export interface Sealed {
  seq: number;
  at: number;
  by: string;
  kind: "luck";
  hash: string;
}

export interface SeatGiven {
  name: string;
  suit: Suit | null;
}

export interface SentenceTold {
  key: string;
  many?: string | null;
  facts?: Record<string, string | number | SentenceTold | InARow | PersonTold | MentionTold | ValueTold | null>;
}

export interface ShutOut {
  told: boolean;
}

export type Size = "small" | "medium" | "large" | "A" | "B" | "C" | "D" | "E" | "F";

export interface SpotTold {
  place: string;
  position: [number, number] | null;
  zone: Zone;
  seat: number | null;
  value?: string | ValueTold | null;
  where?: string | ValueTold | null;
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

export interface Station {
  code: string;
  name: string;
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

export interface ToMove {
  kind: TurnKind;
  seats: number[];
  phase: string;
}

export type TournamentKind = "swiss" | "round_robin";

export interface TournamentShown {
  id: string;
  version: number;
  name: string;
  kind: TournamentKind;
  game: string;
  planned: number;
  rounds: RoundTold[];
  standings: InTournament[];
  ties: string[];
  may_pair: boolean;
  unmet: number;
}

export interface Tournaments {
  tournaments: TournamentShown[];
  director: boolean;
  games: GameForMany[];
}

export type TurnKind = "seat" | "chance" | "all" | "over";

export interface ValidationError {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
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

export type VerdictKind = "settled" | "accepted" | "ambiguous" | "refused" | "impossible";

export interface Version {
  version: number;
}

export interface WallTold {
  version: number;
  now: number;
  tables: RowTold[];
}

export interface WasDone {
  ok: boolean;
}

export type Zone = "board" | "hand" | "spent" | "supply";

export interface Gets {
  "stations": KnownStation[];
  "me": Me;
  "hubs": Hubs;
  "wall": WallTold;
  [path: `tables/${string}/${string}`]: OneTable;
  "results": Result[];
  "league": InLeague[];
  "questions": OpenQuestion[];
  "invitations": Doors;
  "tournaments": Tournaments;
}

export interface Posts {
  "join": Inside;
  "knock": Knocked;
  "knock/open": WasDone;
  "knock/enter": LetIn;
  "stations": Admitted;
  "answers": Answered;
  [path: `invitations/${string}/renew`]: WasDone;
  [path: `stations/${string}/shut_out`]: ShutOut;
  "tournaments": Begun;
  [path: `tournaments/${string}/rounds`]: NewVersion;
  [path: `tournaments/${string}/results`]: NewVersion;
}

export interface Sends {
  "join": JoinHall;
  "knock/open": Open;
  "knock/enter": Enter;
  "stations": Station;
  "answers": AnswerToTable;
  "tournaments": NewTournament;
  [path: `tournaments/${string}/rounds`]: Version;
  [path: `tournaments/${string}/results`]: Correction;
}
