import fc from "fast-check";
import type {
  And,
  Expression,
  FieldTag,
  Near,
  Operator,
  Place,
  YearRange,
} from "../../../packages/writ/src/research/equation/ast.ts";

const at: Place = { from: 0, to: 0 };
const operator: Operator = { text: "", at };

/** A tree without places and spellings: what two equations have in common that mean the same. */
export function bare(node: Expression): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value: unknown) => {
      if (key === "at") return undefined;
      if (key === "operator") return "operator";
      return key === "operators" && Array.isArray(value) ? value.map((one) => one !== null) : value;
    }),
  );
}

/** What generated equations are made of. */
export interface Material {
  words: readonly string[];
  /** Words with wildcards, `~n` and signs, phrases with `~n`. */
  odd: boolean;
  /** Fields and restrictions. */
  fields: readonly FieldTag[];
  near?: boolean;
}

/** Trees of equations, as the parser makes them. */
export function equations({
  words,
  odd,
  fields,
  near: withNear = false,
}: Material): fc.Arbitrary<Expression> {
  const plain = fc.constantFrom(...words);
  const word = plain.map((text): Expression => ({ kind: "word", text, fuzzy: null, at }));
  const oddWord = fc
    .tuple(plain, fc.constantFrom("*", "?", "$", "~", ":", "!", "*x", "$x"))
    .map(
      ([text, tail]): Expression =>
        tail === "~"
          ? { kind: "word", text, fuzzy: 1, at }
          : { kind: "word", text: text + tail + (/[:!]/.test(tail) ? "x" : ""), fuzzy: null, at },
    );
  const phrase = fc
    .tuple(fc.array(plain, { minLength: 1, maxLength: 3 }), fc.option(fc.nat({ max: 3 }), { nil: null }))
    .map(
      ([parts, slop]): Expression => ({ kind: "phrase", text: parts.join(" "), slop: odd ? slop : null, at }),
    );
  const leaf = fc.oneof({ weight: 4, arbitrary: word }, phrase, odd ? oddWord : word);
  const year = fc.integer({ min: 2000, max: 2004 });
  const years = fc
    .tuple(year, year, fc.constantFrom("both", "from", "to"))
    .map(([a, b, ends]): Expression => {
      const range: YearRange = {
        from: ends === "to" ? null : Math.min(a, b),
        to: ends === "from" ? null : Math.max(a, b),
      };
      return { kind: "years", ranges: [range], at };
    });
  return fc.letrec<{ tree: Expression }>((tie) => {
    const tree = tie("tree");
    const several = fc.array(tree, { minLength: 2, maxLength: 3 });
    const near = fc.tuple(fc.tuple(tree, tree), fc.nat({ max: 3 }), fc.boolean()).map(
      ([operands, distance, ordered]): Near => ({
        kind: "near",
        operands,
        joins: [{ ordered, distance }],
        at,
      }),
    );
    const field = fc
      .tuple(fc.constantFrom(...fields, "ti" as const), tree)
      .filter(([tag]) => fields.includes(tag) && tag !== "py")
      .map(([tag, value]) => ({ kind: "field", tag, value, at }) as Expression);
    return {
      tree: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        { weight: 5, arbitrary: leaf },
        {
          weight: 3,
          arbitrary: several.map(
            (parts): Expression => ({ kind: "or", parts, operators: parts.slice(1).map(() => operator), at }),
          ),
        },
        {
          weight: 3,
          arbitrary: fc.tuple(several, fc.boolean()).map(
            ([parts, typed]): And => ({
              kind: "and",
              parts,
              operators: parts.slice(1).map(() => (typed ? operator : null)),
              at,
            }),
          ),
        },
        { weight: 1, arbitrary: tree.map((of): Expression => ({ kind: "not", of, operator, at })) },
        ...(withNear ? [{ weight: 1, arbitrary: near }] : []),
        ...(fields.length > 0 ? [{ weight: 2, arbitrary: field }] : []),
        ...(fields.includes("py") ? [{ weight: 1, arbitrary: years }] : []),
      ),
    };
  }).tree;
}
