import type { Column, Diagram, Entry } from "./boxes.ts";
import { widthOf, wrap } from "./wrap.ts";

/** Everything of the diagram at its place; lengths are in pixels, y downwards. */
export interface Layout {
  width: number;
  height: number;
  boxes: Box[];
  arrows: Arrow[];
  phases: Phase[];
}

export interface Box {
  kind: "heading" | "step" | "end";
  way: Column["way"];
  x: number;
  y: number;
  width: number;
  height: number;
  /** One for each entry, of one or more lines. */
  texts: TextLine[][];
}

export interface TextLine {
  text: string;
  x: number;
  /** Of the letters' base line. */
  y: number;
}

/** Corners, from the start to the point; each piece is level or upright. */
export type Arrow = [x: number, y: number][];

/** A part of the review, named along the left edge. */
export interface Phase {
  name: string;
  y: number;
  height: number;
}

export const letters = 13;
export const margin = 20;
export const phaseWidth = 30;
const leading = 18;
const padding = 11;
const indent = 12;
const boxWidth = 290;
const between = 44;
const columnGap = 48;
const headingGap = 20;
const rowGap = 34;

/** A column while it is drawn. */
interface Lane extends Column {
  x: number;
  /** The lower end of the last box of what goes on; nothing leads to the first. */
  end?: number;
}

/** Places the boxes: the phases at the left, then for each column what goes on and what leaves. */
export function layOut({ columns, included }: Diagram): Layout {
  const lanes = columns.map((column, at): Lane => {
    const x = margin + phaseWidth + 22 + at * (2 * boxWidth + between + columnGap);
    return { ...column, x };
  });
  const right = (lanes.at(-1)?.x ?? 0) + 2 * boxWidth + between;
  const layout: Layout = { width: right + margin, height: 0, boxes: [], arrows: [], phases: [] };
  let y = margin;
  y += Math.max(...lanes.map((lane) => placeHeading(layout, lane, y))) + headingGap;
  for (const [at, { phase }] of (lanes[0]?.steps ?? []).entries()) {
    const heights = lanes.map((lane) => placeStep(layout, lane, { at, y }));
    const height = Math.max(...heights, layout.phases.at(-1)?.name === phase ? 0 : lengthOf(phase));
    extend(layout.phases, { name: phase, y, height });
    y += height + rowGap;
  }
  const height = Math.max(placeEnd(layout, lanes, { included, y }), lengthOf("Included"));
  layout.phases.push({ name: "Included", y, height });
  return { ...layout, height: y + height + margin };
}

function placeHeading(layout: Layout, { heading, way, x }: Lane, y: number): number {
  const place = { kind: "heading", way, x, y, width: 2 * boxWidth + between } as const;
  const box = boxOf([{ text: heading, indented: false }], place);
  layout.boxes.push(box);
  return box.height;
}

/** Places what goes on and what leaves, with the arrows between; answers how high they are. */
function placeStep(layout: Layout, lane: Lane, { at, y }: { at: number; y: number }): number {
  const { stays = [], leaves = [] } = lane.steps[at] ?? {};
  const place = { kind: "step", way: lane.way, y, width: boxWidth } as const;
  const leaving = boxOf(leaves, { ...place, x: lane.x + boxWidth + between });
  layout.boxes.push(leaving);
  if (stays.length === 0) {
    // It leaves the line between two boxes.
    const middle = y + leaving.height / 2;
    layout.arrows.push(corners(centre(lane), middle, leaving.x, middle));
    return leaving.height;
  }
  const staying = boxOf(stays, { ...place, x: lane.x });
  layout.boxes.push(staying);
  const middle = y + Math.min(leaving.height, staying.height) / 2;
  layout.arrows.push(corners(lane.x + boxWidth, middle, leaving.x, middle));
  if (lane.end !== undefined) layout.arrows.push(corners(centre(lane), lane.end, centre(lane), y));
  lane.end = y + staying.height;
  return Math.max(leaving.height, staying.height);
}

/** Both columns end in one box, below the first. */
function placeEnd(
  layout: Layout,
  lanes: readonly Lane[],
  { included, y }: { included: readonly Entry[]; y: number },
): number {
  const box = boxOf(included, { kind: "end", way: "databases", x: lanes[0]?.x ?? 0, y, width: boxWidth });
  layout.boxes.push(box);
  lanes.forEach((lane, at) => {
    const { end = y } = lane;
    const middle = y + box.height / 2;
    layout.arrows.push(
      at === 0
        ? corners(centre(lane), end, centre(lane), y)
        : corners(centre(lane), end, centre(lane), middle, box.x + boxWidth, middle),
    );
  });
  return box.height;
}

function centre({ x }: Lane): number {
  return x + boxWidth / 2;
}

function corners(...lengths: number[]): Arrow {
  const arrow: Arrow = [];
  for (let at = 0; at + 1 < lengths.length; at += 2) arrow.push([lengths[at] ?? 0, lengths[at + 1] ?? 0]);
  return arrow;
}

function boxOf(entries: readonly Entry[], at: Omit<Box, "height" | "texts">): Box {
  let y = at.y + padding + letters;
  const texts = entries.map(({ text, indented }) => {
    const x = at.x + padding + (indented ? indent : 0);
    return wrap(text, at.x + at.width - padding - x, letters).map((line): TextLine => {
      const placed = { text: line, x, y };
      y += leading;
      return placed;
    });
  });
  // Below the last base line letters go on a little.
  return { ...at, texts, height: y - leading + 4 + padding - at.y };
}

/** How much room the name of a phase needs along the edge; it is written in bold. */
function lengthOf(phase: string): number {
  return Math.ceil(widthOf(phase, letters) * 1.1) + 20;
}

/** One phase spans the rows of its steps. */
function extend(phases: Phase[], row: Phase): void {
  const last = phases.at(-1);
  if (last?.name === row.name) last.height = row.y + row.height - last.y;
  else phases.push(row);
}
