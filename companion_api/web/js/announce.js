// Spoken and felt: the polite live region, the voice, the vibration.
import { actionWords } from "./action_text.js";
import { withoutGaps } from "./effects.js";
import { byWords, seatName, suitName } from "./seats.js";
import { ready, translatedText } from "./phrasebook.js";
import { isEarlier, notify, sound, announcement, tell, view, voice } from "./state.js";
import { withEarlierTable } from "./piece_names.js";
import { wordOrNull, language, loadLaterWords, say } from "./words.js";

/** @import { EventTold } from "./answers" */

/** @param {EventTold} event */
export async function announce(event) {
  if (event.kind === "joined" && event.along) return;
  await loadLaterWords();
  if ("text" in event && language.value !== "en") await ready();
  const text = sentence(event);
  if (!text) return;
  announcement.value = text;
  if (voice.value && "speechSynthesis" in window) {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language.value;
    speechSynthesis.speak(utterance);
  }
  if (sound.value) beep(event.kind === "verdict" ? 330 : 660);
  if (event.kind === "verdict") navigator.vibrate?.(120);
}

/** @type {AudioContext | null} */
let speaker = null;

/** A short tone; a lower one where somebody must look. @param {number} pitch */
function beep(pitch) {
  speaker ??= new AudioContext();
  const [tone, loud] = [speaker.createOscillator(), speaker.createGain()];
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(0.12, speaker.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, speaker.currentTime + 0.18);
  tone.connect(loud).connect(speaker.destination);
  tone.start();
  tone.stop(speaker.currentTime + 0.2);
}

/** A turn began unseen, and no message could come by plain http: that is said once, and where to read more. */
function explainMissedAlert() {
  localStorage.setItem("https", "told");
  tell(() => say("settings.notify.missed"), true, { words: "view.camera", act: () => (view.value = "camera") });
}

/** It is this phone's turn: two tones of its own, a buzz, and a message where the page is not looked at. */
export function myTurn() {
  if (sound.value) {
    beep(523);
    setTimeout(() => beep(784), 160);
  }
  navigator.vibrate?.([80, 60, 80]);
  if (document.hidden && !isSecureContext && localStorage.getItem("https") !== "told")
    document.addEventListener("visibilitychange", explainMissedAlert, { once: true });
  if (document.hidden && notify.value && "Notification" in window && Notification.permission === "granted")
    new Notification(say("turn.mine"), { body: document.title, icon: "icon-180.png", tag: "turn" });
}

/** One sentence for an event. @param {EventTold} event @returns {string} */
export const sentence = (event) => withEarlierTable(isEarlier(event), () => sentenceOf(event));

/** @param {EventTold} event @returns {string} */
function sentenceOf(event) {
  const who = byWords(event.by);
  switch (event.kind) {
    case "action":
    case "corrected":
    case "laid": {
      const done = event.actions.map((a) =>
        a.text && !a.secret ? actionWords(a) : say("sealed", { seat: seatName(a.seat) }),
      );
      const drawn = event.kind === "action" && typeof event.luck === "number" ? ` · ${say("luck.drawn")}` : "";
      return say(`event.${event.kind}`, { who, what: (done.join(", ") || say("taken_back")) + drawn });
    }
    case "note":
      return wordOrNull(`note.${event.code}`)
        ? say(`note.${event.code}`, {
            ...event.facts,
            seats: null,
            who,
            whose: namesOf(event.facts.seats),
            seat: seatName(event.facts.seat),
            incident: wordOrNull(`incident.${event.facts.incident}`),
          })
        : translatedText(event.text);
    case "undo":
    case "redo":
      return say(`event.${event.kind}${stepsOf(event)}`, { who, whose: namesOf(event.seats), count: event.count });
    case "luck":
      return say("event.luck", { hash: event.hash.slice(0, 12) });
    case "clock":
      return say(
        `clock.told.${clockKey(event)}`,
        { n: event.minutes ?? 0 },
      );
    case "joined":
      return event.name && typeof event.seat === "number"
        ? say("event.seated", { what: event.name, seat: suitName(event.seat) })
        : say("event.joined", { who, what: event.name || who });
    default:
      return withoutGaps(
        say(`event.${event.kind}`, {
          who,
          what: verdictText(event),
          status: say(
            `status.${event.kind === "verdict" && event.verdict === "impossible" ? "out_of_sync" : "need_you"}`,
          ),
        }),
      );
  }
}

/** What was done to the clock. @param {{minutes?: number | null, run?: boolean | null}} event */
function clockKey({ minutes, run }) {
  if (typeof minutes === "number") return minutes ? "set" : "off";
  return run === false ? "stop" : "go";
}

/** @param {number[] | null | undefined} seats */
const namesOf = (seats) => (seats ?? []).map(seatName).join(", ");

/** Whose steps were taken back: somebody's own, another's, or several people's.
 * @param {{by: string, count: number, seats?: number[] | null}} event */
function stepsOf({ by, count, seats }) {
  if (count > 1) return ".many";
  return seats?.length === 1 && by !== `seat:${seats[0]}` ? ".whose" : "";
}

/** What is told of an evening: all that changes the game, and what is said about it. */
export const TOLD = ["action", "undo", "redo", "corrected", "laid", "verdict", "claim", "ruling", "overruled"];

/** The same with who did it, for whoever did not see it. @param {EventTold} event */
export function withActor(event) {
  const seat = event.kind === "action" ? event.actions[0]?.seat : null;
  return actorWords(seat, sentence(event));
}

/** Who did what, nobody named twice. @param {number | null | undefined} seat @param {string} what */
export const actorWords = (seat, what) =>
  typeof seat === "number" && !what.startsWith(seatName(seat)) ? say("last_move", { who: seatName(seat), what }) : what;

/** What the referee or a person says with an event. @param {EventTold} event @returns {string} */
function verdictText(event) {
  if (event.kind === "ruling" && event.said_reasons) return event.said_reasons.map(translatedText).join(" ");
  if (event.kind === "verdict") return translatedText(event.said);
  if (event.kind === "overruled") return event.text;
  return "text" in event ? translatedText(event.text) : "";
}
