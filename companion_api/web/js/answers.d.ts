// Made of companion_api/answers.py by tests/companion_api/page/answer_types.py; not to be changed by hand.

export interface Asking {
  seat: number;
  phone: string;
  name: string;
}

export interface Board {
  table: string;
  seq: number;
  state: number;
  game: GameHead;
  options: Record<string, any>;
  seats: SeatAtTable[];
  you: You;
  wanted: Asking[];
  status: string;
  turn: ToMove;
  layout: Drawn;
  diagram: string;
  legal: Listed[];
  open: Listed[];
  complete: boolean;
  scores: number[];
  outcome: Ending;
  pending: Waiting | null;
  disputes: Record<string, any>[];
  actions: number;
}

export interface Done {
  id: string | null;
  text: string | null;
  seat: number | null;
  effects: Happened[];
  secret?: boolean;
}

export interface Drawn {
  unit: "inch";
  pieces: Lying[];
  places: NamedPlace[];
  borders: [number, number, number, number][];
}

export type EffectKind = "place" | "move" | "flip" | "rotate" | "take" | "remove" | "reveal" | "roll" | "pay" | "choose" | "attack" | "collapse" | "eliminate" | "score" | "phase" | "turn" | "end";

export interface Ending {
  over: boolean;
  winners: number[];
  scores: number[];
  reason: string;
  clause: string;
  drawn: boolean;
  others: Record<string, any>;
  said: any;
}

export type EventKind = "started" | "joined" | "moved" | "action" | "verdict" | "undo" | "laid" | "corrected" | "claim" | "ruling" | "overruled" | "note";

export type Face = "front" | "back";

export interface GameHead {
  id: string;
  name: string;
  rules: number;
  hidden: boolean;
}

export interface Happened {
  kind: EffectKind;
  piece?: string;
  thing?: Thing;
  key?: string;
  from?: Place;
  to?: Place;
  seat?: number;
  other?: number;
  amount?: number;
  clause?: string;
  facts?: Record<string, any>;
  said?: any;
}

export interface Happening {
  seq: number;
  at: number;
  kind: EventKind;
  by: string;
  actions?: Done[];
  [more: string]: any;
}

export type Kind = "tile" | "coin" | "die" | "pawn" | "pyramid" | "card";

export interface LiesWrong {
  should: Lying | null;
  lies: Lying | null;
}

export interface Listed {
  id: string;
  text: string;
  touches: string[];
  seat: number | null;
  common: boolean;
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
}

export interface NamedPlace {
  name: string;
  position: [number, number];
  size: [number, number];
}

export interface Past {
  seq: number;
  layout: Drawn;
  turn: ToMove;
  scores: number[];
}

export interface Place {
  place: string;
  position: [number, number] | null;
  zone: Zone;
  seat: number | null;
}

export type Pose = "upright" | "flat";

export interface Possible {
  action: string;
  actions: string[];
  text: string;
  p: number;
}

export interface Refused {
  code: string;
  clause: string;
  text: string;
  facts: Record<string, any>;
  said: any;
}

export type Role = "host" | "player" | "spectator" | "screen";

export interface SeatAtTable {
  seat: number;
  name: string;
  suit: Suit | null;
  held: string[];
  out: boolean;
}

export type Size = "small" | "medium" | "large" | "A" | "B" | "C" | "D" | "E" | "F";

export type Suit = "suns" | "moons" | "crowns" | "arms";

export interface Thing {
  kind: Kind;
  suit: Suit | null;
  value: string | null;
  size: Size | null;
  mark: string | null;
}

export interface ToMove {
  kind: TurnKind;
  seats: number[];
  phase: string;
}

export type TurnKind = "seat" | "chance" | "all" | "over";

export type VerdictKind = "settled" | "accepted" | "ambiguous" | "refused" | "impossible";

export interface Waiting {
  verdict: VerdictKind;
  action: string | null;
  actions: string[];
  choices: Possible[];
  refusal: Refused | null;
  attempt: string | null;
  effects: Happened[];
  undone: number;
  text: string;
  said: any;
  differences: string[];
  back: string[];
  said_differences: any[];
  said_back: any[];
  wrong: LiesWrong[];
  margin: number;
}

export interface You {
  role: Role;
  seat: number | null;
  name: string;
  phone: string;
}

export type Zone = "board" | "hand" | "spent" | "supply";
