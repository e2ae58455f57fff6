// @ts-check
// Spoken and felt: the polite live region, the voice, the vibration.
import { signal } from "../vendor/signals.js";
import { actionWords } from "./acts.js";
import { tidy } from "./effects.js";
import { byWords, seatName, suitName } from "./seats.js";
import { ready, toldText } from "./phrasebook.js";
import { sound, voice } from "./state.js";
import { known, language, say } from "./words.js";

/** What the polite live region says now. */
export const spoken = signal("");

/** @param {any} event */
export async function announce(event) {
  if (event.along) return;
  if (event.text && language.value !== "en") await ready();
  const text = sentence(event);
  if (!text) return;
  spoken.value = text;
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
export function beep(pitch) {
  speaker ??= new AudioContext();
  const [tone, loud] = [speaker.createOscillator(), speaker.createGain()];
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(0.12, speaker.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, speaker.currentTime + 0.18);
  tone.connect(loud).connect(speaker.destination);
  tone.start();
  tone.stop(speaker.currentTime + 0.2);
}

/** One sentence for an event. @param {any} event @returns {string} */
export function sentence(event) {
  const who = byWords(event.by);
  if (["action", "corrected", "laid"].includes(event.kind)) {
    const done = (event.actions ?? []).map((/** @type {any} */ a) => (a.text && !a.secret ? actionWords(a) : say("sealed", { seat: seatName(a.seat) })));
    return say(`event.${event.kind}`, { who, what: done.join(", ") || say("taken_back") });
  }
  if (event.kind === "note") return known(`note.${event.code}`) ? say(`note.${event.code}`, { ...event.facts, seat: seatName(event.facts?.seat) }) : toldText(event.said ?? event.text);
  if (event.kind === "joined") return event.name && event.seat !== undefined && event.seat !== null ? say("event.seated", { what: event.name, seat: suitName(event.seat) }) : say("event.joined", { who, what: event.name || who });
  const what = event.kind === "overruled" ? event.text : (event.said_reasons ?? [event.said ?? event.text ?? ""]).map(toldText).join(" ");
  return tidy(say(`event.${event.kind}`, { who, what, count: event.count ?? "", status: say(`status.${event.verdict === "impossible" ? "out_of_sync" : "need_you"}`) }));
}
