/**
 * Colours for communities, told apart also by most people who see few colours, and legible on light and dark grounds
 * (after Okabe and Ito 2008, and lighter and darker ones of them). The last is for all that have no colour of their own.
 */
export const communityColours = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#b8860b",
  "#56b4e9",
  "#8a5a9e",
  "#a34700",
  "#4b8b3b",
  "#c44569",
  "#2f7f9d",
  "#7a7a2e",
] as const;
export const restColour = "#8c8c8c";

/** The colour of a community; null is none. */
export function colourOf(community: number | null): string {
  return community === null ? restColour : (communityColours[community] ?? restColour);
}

/** Red, green and blue of a colour. */
export function channelsOf(colour: string): [red: number, green: number, blue: number] {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}
