import { xml } from "../../export/xml.ts";
import type { Boxes, Flow } from "../flow.ts";
import { diagramOf } from "./boxes.ts";
import {
  type Arrow,
  type Box,
  type Layout,
  layOut,
  letters,
  margin,
  type Phase,
  phaseWidth,
} from "./layout.ts";

/** Colours on a light ground; programs that know no style sheets draw with these. */
const light = {
  ground: "#ffffff",
  text: "#1a1d21",
  line: "#4a5560",
  box: "#ffffff",
  other: "#f1f3f5",
  heading: "#f7d98b",
  otherHeading: "#d9dee3",
  phase: "#b9d3ee",
};
const dark: typeof light = {
  ground: "#14171a",
  text: "#eceff2",
  line: "#9aa7b4",
  box: "#1e2328",
  other: "#262c32",
  heading: "#6b4e00",
  otherHeading: "#3b444d",
  phase: "#1f4468",
};
type Colour = keyof typeof light;

const style = [
  ...Object.entries(dark).map(([name, colour]) => `.${name}{fill:${colour}}`),
  `.edge{stroke:${dark.line}}`,
].join("");

/** The flow diagram of PRISMA 2020 for a new review: text that can be selected, and no script. */
export function diagramText(flow: Flow): string {
  const layout = layOut(diagramOf(flow));
  const { width, height } = layout;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${round(height)}" viewBox="0 0 ${width} ${round(height)}" role="img" aria-labelledby="prisma-title prisma-desc" xml:lang="en" font-family="Arial, Helvetica, sans-serif" font-size="${letters}">`,
    `<title id="prisma-title">PRISMA 2020 flow diagram</title>`,
    `<desc id="prisma-desc">${xml(description(flow.boxes))}</desc>`,
    `<style>@media (prefers-color-scheme:dark){${style}}</style>`,
    `<rect ${fill("ground")} width="100%" height="100%"/>`,
    ...drawing(layout),
    "</svg>\n",
  ].join("\n");
}

function drawing({ arrows, boxes, phases }: Layout): string[] {
  return [...arrows.map(arrow), ...phases.map(phase), ...boxes.map(box)];
}

function box(one: Box): string {
  const colour: Record<Box["kind"], Colour> =
    one.way === "databases"
      ? { heading: "heading", step: "box", end: "box" }
      : { heading: "otherHeading", step: "other", end: "other" };
  const isHeading = one.kind === "heading";
  const how = `${fill("text")}${isHeading ? ' text-anchor="middle" font-weight="bold"' : ""}`;
  // The lines of one text are one element, so that it is found and copied as one.
  const texts = one.texts.map((lines) => {
    const spans = lines.map(({ text, x, y }) => {
      const at = isHeading ? one.x + one.width / 2 : x;
      return `<tspan x="${round(at)}" y="${round(y)}">${xml(text)}</tspan>`;
    });
    return `<text ${how}>${spans.join(" ")}</text>`;
  });
  const edge = isHeading ? `rx="8"` : `class="${colour[one.kind]} edge" stroke="${light.line}"`;
  const inside = isHeading ? fill(colour.heading) : `fill="${light[colour[one.kind]]}"`;
  const place = `x="${round(one.x)}" y="${round(one.y)}" width="${one.width}" height="${round(one.height)}"`;
  return `<g><rect ${inside} ${edge} ${place}/>${texts.join("")}</g>`;
}

function arrow(corners: Arrow): string {
  const [x = 0, y = 0] = corners.at(-1) ?? [];
  const [fromX = 0] = corners.at(-2) ?? [];
  const path = corners.map(([px, py]) => `${round(px)} ${round(py)}`).join("L");
  // The last piece is level or upright; the head points along it.
  const head = fromX === x ? "m-5 -9l5 9l5 -9z" : fromX < x ? "m-9 -5l9 5l-9 5z" : "m9 -5l-9 5l9 5z";
  return (
    `<path class="edge" fill="none" stroke="${light.line}" d="M${path}"/>` +
    `<path ${fill("line")} d="M${round(x)} ${round(y)}${head}"/>`
  );
}

function phase({ name, y, height }: Phase): string {
  const x = margin;
  const [middleX, middleY] = [x + phaseWidth / 2, round(y + height / 2)];
  return (
    `<g><rect ${fill("phase")} rx="8" x="${x}" y="${round(y)}" width="${phaseWidth}" height="${round(height)}"/>` +
    `<text ${fill("text")} font-weight="bold" text-anchor="middle" dominant-baseline="central" transform="translate(${middleX} ${middleY}) rotate(-90)">${name}</text></g>`
  );
}

function fill(colour: Colour): string {
  return `class="${colour}" fill="${light[colour]}"`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

/** The whole flow in words, for those who do not see it. */
function description({
  identified,
  removed,
  screened,
  excluded,
  awaiting,
  included,
  reports,
}: Boxes): string {
  const found =
    identified.other > 0
      ? `${identified.databases} records were identified from databases and ${identified.other} from other methods.`
      : `${identified.databases} records were identified from databases.`;
  return [
    found,
    `Before screening ${removed.total} were removed: ${removed.duplicates.total} duplicates and ${removed.without_title.total} without a title.`,
    `${screened.total} were screened: ${excluded.total} were excluded, ${awaiting.total} await a decision, and ${included.total} are included.`,
    ...(reports
      ? [
          `The reports of ${reports.sought.total} were sought and those of ${reports.not_retrieved.total} not retrieved; of ${reports.assessed.total} that were assessed, ${reports.excluded.total} were excluded.`,
        ]
      : []),
  ].join(" ");
}
