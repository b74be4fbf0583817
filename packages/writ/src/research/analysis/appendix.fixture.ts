/** The graphs with known numbers. */

/** Zachary's karate club: each node from 1, with its later neighbours. */
const karate = `1: 2 3 4 5 6 7 8 9 11 12 13 14 18 20 22 32; 2: 3 4 8 14 18 20 22 31; 3: 4 8 9 10 14 28 29 33; 4: 8 13 14;
5: 7 11; 6: 7 11 17; 7: 17; 9: 31 33 34; 10: 34; 14: 34; 15: 33 34; 16: 33 34; 19: 33 34; 20: 34; 21: 33 34; 23: 33 34;
24: 26 28 30 33 34; 25: 26 28 32; 26: 32; 27: 30 34; 28: 34; 29: 32 34; 30: 33 34; 31: 33 34; 32: 33 34; 33: 34`;

type Edges = [number, number, number][];

/** Node k of the club is k - 1 here. */
export const karateEdges: Edges = karate.split(";").flatMap((line) => {
  const [node = "", rest = ""] = line.split(":");
  return rest
    .trim()
    .split(/\s+/)
    .map((other): [number, number, number] => [Number(node) - 1, Number(other) - 1, 1]);
});

const second = new Set([10, 15, 16, 19, 21, ...Array.from({ length: 12 }, (_, k) => 23 + k)]);
/** Which of the two clubs a member went to. */
export const karateClubs = Array.from({ length: 34 }, (_, node) => (second.has(node + 1) ? 1 : 0));

/** Two complete graphs of four, and one edge between them. */
export const twinEdges: Edges = [...complete([0, 1, 2, 3]), ...complete([4, 5, 6, 7]), [3, 4, 1]];

function complete(nodes: readonly number[]): Edges {
  return nodes.flatMap((a, k) => nodes.slice(k + 1).map((b): [number, number, number] => [a, b, 1]));
}

/** Sixty nodes whose edges follow from arithmetic. */
export const sixtyEdges: Edges = Array.from({ length: 60 }, (_, i) => i).flatMap((i) =>
  Array.from({ length: 59 - i }, (_, k) => i + 1 + k).flatMap((j): Edges => {
    const k = (37 * i + 101 * j + 13 * i * j) % 97;
    return k < 9 || (i % 4 === j % 4 && k < 22) ? [[i, j, 1 + (k % 5)]] : [];
  }),
);
export const sixtyClasses = Array.from({ length: 60 }, (_, node) => node % 4);
