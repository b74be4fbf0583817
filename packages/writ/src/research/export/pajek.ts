import { type NetworkFile, weightOf } from "./network-file.ts";

/** Numbers from 1 for the nodes, in the order of their ids. Nodes fit in memory; edges need not. */
export class Numbers {
  readonly #numbers = new Map<string, number>();

  add(id: string): number {
    this.#numbers.set(id, this.#numbers.size + 1);
    return this.#numbers.size;
  }

  of(id: string): number {
    const number = this.#numbers.get(id);
    if (number === undefined) throw new RangeError(`the edge's end ${id} is no node`);
    return number;
  }
}

/** Pajek's network file. `nodes` is how many there are, which stands before them. */
export async function* pajek(network: NetworkFile, nodes: number): AsyncGenerator<string> {
  const numbers = new Numbers();
  yield `*Vertices ${nodes}\n`;
  for await (const { id, label } of network.nodes())
    yield `${numbers.add(id as string)} "${oneLine(label as string).replaceAll('"', '""')}"\n`;
  yield network.directed ? "*Arcs\n" : "*Edges\n";
  for await (const edge of network.edges())
    yield `${numbers.of(edge.source as string)} ${numbers.of(edge.target as string)} ${weightOf(edge)}\n`;
}

/** Text without what would end a line or a cell. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
