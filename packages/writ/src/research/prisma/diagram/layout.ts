import type { Diagram, Entry } from "./boxes.ts";
import { wrap } from "./wrap.ts";

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
  way: "databases" | "other";
  x: number;
  y: number;
  width: number;
  height: number;
  lines: TextLine[];
}

export interface TextLine {
  text: string;
  x: number;
  /** Of the letters' base line. */
  y: number;
}

/** Corners, from the start to the point. */
export type Arrow = [x: number, y: number][];

/** A part of the review, named along the left edge. */
export interface Phase {
  name: string;
  y: number;
  height: number;
}

export const letters = 13;
const leading = 18;
const padding = 11;
const indent = 12;
const margin = 20;
export const phaseWidth = 30;
const boxWidth = 264;
const between = 44;
const columnGap = 48;
const rowGap = 34;

/** Places the boxes: the phases at the left, then for each column what goes on and what leaves. */
export function layOut({ columns, included }: Diagram): Layout {
  const starts = columns.map((_, at) => margin + phaseWidth + 22 + at * (2 * boxWidth + between + columnGap));
  const width = (starts.at(-1) ?? 0) + 2 * boxWidth + between + margin;
  const layout: Layout = { width, height: 0, boxes: [], arrows: [], phases: [] };
  let y = margin;
  y += rowOf(layout, columns, (column, at) => {
    const wide = { x: starts[at] ?? 0, y, width: 2 * boxWidth + between };
    return [
      boxOf([{ text: column.heading, indented: false }], { ...wide, kind: "heading", way: column.way }),
    ];
  });
  const trunks = starts.map((x) => ({ x: x + boxWidth / 2, from: y }));
  const steps = columns[0]?.steps ?? [];
  y += rowGap * 0.6;
  for (const [row, { phase }] of steps.entries()) {
    const top = y;
    y += rowOf(layout, columns, (column, at) => {
      const step = column.steps[row];
      return step ? stepOf(layout, step, { x: starts[at] ?? 0, y, way: column.way, trunk: trunks[at] }) : [];
    });
    extend(layout.phases, { name: phase, y: top, height: y - top });
    y += rowGap;
  }
  const end = boxOf(included, { x: starts[0] ?? 0, y, width: boxWidth, kind: "end", way: "databases" });
  layout.boxes.push(end);
  layout.phases.push({ name: "Included", y, height: end.height });
  const [first, second] = trunks;
  if (first)
    layout.arrows.push([
      [first.x, first.from],
      [first.x, y],
    ]);
  const middle = y + end.height / 2;
  if (second)
    layout.arrows.push([
      [second.x, second.from],
      [second.x, middle],
      [end.x + end.width, middle],
    ]);
  return { ...layout, height: y + end.height + margin };
}

interface Trunk {
  x: number;
  /** The lower end of what was drawn last. */
  from: number;
}

interface Place {
  x: number;
  y: number;
  way: Box["way"];
  trunk: Trunk | undefined;
}

/** What goes on and what leaves, with the arrows between; moves the trunk on. */
function stepOf(layout: Layout, step: { stays: Entry[]; leaves: Entry[] }, place: Place): Box[] {
  const { x, y, way, trunk } = place;
  const leaving = boxOf(step.leaves, { x: x + boxWidth + between, y, width: boxWidth, kind: "step", way });
  if (step.stays.length === 0) {
    const middle = y + leaving.height / 2;
    layout.arrows.push([
      [x + boxWidth / 2, middle],
      [leaving.x, middle],
    ]);
    return [leaving];
  }
  const staying = boxOf(step.stays, { x, y, width: boxWidth, kind: "step", way });
  const middle = y + Math.min(staying.height, leaving.height) / 2;
  layout.arrows.push([
    [x + boxWidth, middle],
    [leaving.x, middle],
  ]);
  if (trunk) {
    if (layout.boxes.some((box) => box.kind === "step" && box.x === x))
      layout.arrows.push([
        [trunk.x, trunk.from],
        [trunk.x, y],
      ]);
    trunk.from = y + staying.height;
  }
  return [staying, leaving];
}

/** Places the boxes of one row in all columns; answers how high the row is. */
function rowOf<T>(layout: Layout, columns: readonly T[], place: (column: T, at: number) => Box[]): number {
  const boxes = columns.flatMap(place);
  layout.boxes.push(...boxes);
  return Math.max(0, ...boxes.map(({ height }) => height));
}

function boxOf(entries: readonly Entry[], at: Omit<Box, "height" | "lines">): Box {
  const lines: TextLine[] = [];
  for (const { text, indented } of entries) {
    const x = at.x + padding + (indented ? indent : 0);
    for (const line of wrap(text, at.x + at.width - padding - x, letters))
      lines.push({ text: line, x, y: at.y + padding + leading * lines.length + letters });
  }
  return { ...at, lines, height: lines.length * leading + 2 * padding - (leading - letters) + 2 };
}

/** One phase spans the rows of its steps. */
function extend(phases: Phase[], row: Phase): void {
  const last = phases.at(-1);
  if (last?.name === row.name) last.height = row.y + row.height - last.y;
  else phases.push(row);
}
