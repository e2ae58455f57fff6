// Whose things lie where: the host marks out hands, spent heaps and the supply on the camera's picture.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { post } from "../api.js";
import { useFetched } from "../fetched.js";
import { showReason } from "../phrasebook.js";
import { board } from "../state.js";
import { seatName } from "../seats.js";
import { say } from "../words.js";
import { Quad } from "./quad.js";

/** @import { HandArea, Marked } from "../answers" */
/** @import { Spot } from "../board_geometry.js" */
/** @typedef {{zone: Marked["zone"], seat: number | null}} Owner */

/** @param {Pick<HandArea, "zone" | "seat">} area */
const areaWords = (area) => `${say(`zone.${area.zone}`)} ${seatName(area.seat)}`.trim();

export function Hands() {
  const [found, setFound] = useFetched("hands");
  const areas = found ?? [];
  const [marking, setMarking] = useState(/** @type {Owner | null} */ (null));
  const keep = async (/** @type {Marked[]} */ wanted) => {
    const answer = await post("hands", { areas: wanted });
    if (!answer.ok) return showReason(answer);
    setFound(answer.data);
    setMarking(null);
  };
  const owners = /** @type {Owner[]} */ ([
    ...board.value.seats.flatMap((s) => [{ zone: "hand", seat: s.seat }, { zone: "spent", seat: s.seat }]),
    { zone: "supply", seat: null },
  ]);
  if (marking)
    return html`<${AreaMarker} area=${marking} others=${areas}
      keep=${(/** @type {Marked} */ area) => {
        const others = /** @type {Marked[]} */ (areas).filter((a) => a.zone === "supply" || !sameArea(a, area));
        keep([...others, area]);
      }}
        leave=${() => setMarking(null)} />`;
  return html`<p>${say("hands.how")}</p><div class="row">
    ${owners.map((owner) => html`<button key=${areaWords(owner)} aria-pressed=${areas.some((a) => sameArea(a, owner))}
    onClick=${() => setMarking(owner)}>${areaWords(owner)}</button>`)}
    <button disabled=${!areas.length} onClick=${() => keep([])}>${say("hands.none")}</button></div>`;
}

/** @param {{zone: string, seat?: number | null}} a @param {{zone: string, seat?: number | null}} b */
const sameArea = (a, b) => a.zone === b.zone && (a.seat ?? null) === (b.seat ?? null);

/** @param {{area: Owner, others: HandArea[], keep: (area: Marked) => void, leave: () => void}} props */
function AreaMarker({ area, others, keep, leave }) {
  const [points, setPoints] = useState(/** @type {Spot[]} */ ([]));
  const [size, setSize] = useState([1, 1]);
  const inPixels = (/** @type {HandArea} */ other) => ({
    label: areaWords(other),
    points: other.corners.map((c) => c.map((n, i) => n * size[i])),
  });
  const inShares = () => keep({ ...area, corners: points.map(([x, y]) => [x / size[0], y / size[1]]) });
  return html`<div role="group" aria-label=${areaWords(area)}><p><strong>${areaWords(area)}
    </strong> ${say("hands.corners")}</p>
    <${Quad} points=${points}
    change=${(/** @type {Spot[]} */ p, /** @type {number[]} */ s) => (setPoints(p), setSize(s))}
      others=${size[0] > 1 ? others.map(inPixels) : []} />
    <div class="row"><button class="go" disabled=${points.length !== 4} onClick=${inShares}>${say("hands.keep")}
    </button>
      <button onClick=${() => setPoints([])}>${say("again")}</button><button onClick=${leave}>${say("cancel")}
      </button></div></div>`;
}
