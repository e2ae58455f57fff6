// Made of the server's OpenAPI document by tests/companion_api/page/answer_types.py; not to be changed by hand.

import type {
  Act,
  Claimed,
  EffectKind,
  Enter,
  InARow,
  Joined,
  Knocked,
  LetIn,
  LiesWrong,
  MentionTold,
  Moved,
  Noted,
  Open,
  PersonTold,
  PieceTold,
  Possible,
  PutBack,
  Refused,
  Sealed,
  SentenceTold,
  SpotTold,
  Started,
  Sums,
  TakenBack,
  Timed,
  ToMove,
  ValueTold,
  VerdictKind,
  WasDone,
} from "../js/answers";

export interface About {
  seq: number;
  text: string;
  actions: Said[];
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

export interface KnownStation {
  station: string;
  name: string;
  shut_out: boolean;
}

export interface Me {
  role: HallRole;
  name: string;
  hall: string;
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

export interface RefereeSays {
  text: string | null;
  upheld: boolean | null;
  clause: string | null;
  said: (SentenceTold | InARow | PersonTold | MentionTold | ValueTold | string)[];
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

export interface ShutOut {
  told: boolean;
}

export interface Station {
  code: string;
  name: string;
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

export interface ValidationError {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

export interface Version {
  version: number;
}

export interface WallTold {
  version: number;
  now: number;
  tables: RowTold[];
}

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
