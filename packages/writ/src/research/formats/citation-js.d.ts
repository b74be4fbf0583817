// The two packages of Citation.js that are used ship no types; this is what is called of them.
declare module "@citation-js/core" {
  export const plugins: {
    input: {
      /** Reads `input` as what `forceType` says, until it is of the type `target`. */
      chain(input: unknown, options: { forceType: string; target?: string; generateGraph: false }): unknown;
    };
    config: { get(plugin: string): unknown };
  };
}
declare module "@citation-js/plugin-bibtex" {}
