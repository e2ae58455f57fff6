// Made of the server's OpenAPI document by tests/companion_api/page/answer_types.py; not to be changed by hand.

import type {
  Accomplished,
  Act,
  Enter,
  EventTold,
  LetIn,
  MentionTold,
  Open,
  PersonTold,
  ScreenRequest,
  SentenceTold,
  SeveralFacts,
  TurnTold,
  ValueTold,
} from "../js/answers";

export interface About {
  seq: number;
  text: string;
  actions: Said[];
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

export interface Begun {
  id: string;
}

export interface ChoiceTold {
  actions: string[];
  acts?: Act[] | null;
  text: string;
}

export interface Correction {
  version: number;
  round: number;
  first: string;
  result: string | null;
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

export interface Hubs {
  hubs: string[];
  handed: string;
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

export interface KnownStation {
  station: string;
  name: string;
  shut_out: boolean;
}

export interface LeagueStanding {
  name: string;
  games: number;
  wins: number;
  draws: number;
  points: number;
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
  standing: TableStanding;
  name: string;
  events: EventTold[];
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
  said: SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | null;
  about: About | null;
  pictures: NamedPicture[];
  referee: RefereeSays | null;
  clause: string;
  clause_text: string;
  choices: ChoiceTold[];
  differences: string[];
  said_differences: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold)[];
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
  said: (SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold | string)[];
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
  standing: TableStanding;
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

export interface TableStanding {
  game: GameName;
  seats: string[];
  turn: TurnTold;
  scores: number[];
  over: boolean;
  winners: number[];
  reason: string;
  actions: number;
  claims: number[];
  question: number | null;
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
  standings: TournamentStanding[];
  ties: string[];
  may_pair: boolean;
  unmet: number;
}

export interface TournamentStanding {
  place: number;
  name: string;
  points: number;
  ties: number[];
  played: number;
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
  "league": LeagueStanding[];
  "questions": OpenQuestion[];
  "invitations": Doors;
  "tournaments": Tournaments;
}

export interface Posts {
  "join": Inside;
  "knock": ScreenRequest;
  "knock/open": Accomplished;
  "knock/enter": LetIn;
  "stations": Admitted;
  "answers": Answered;
  [path: `invitations/${string}/renew`]: Accomplished;
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
