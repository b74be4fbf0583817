import { belowSource, type RuleContext } from "./layers.ts";

const outsidePlatform = /^(?!platform\/|main\.ts$)/;
const chance = new Set(["randomUUID", "randomBytes", "randomInt", "getRandomValues"]);

interface NamedNode {
  type?: string;
  name?: string;
  value?: unknown;
}

interface Call {
  callee: NamedNode & { property?: NamedNode };
  arguments: unknown[];
}

interface ImportSpecifier {
  imported?: NamedNode;
}

/** The rule: the current time and chance are arguments; only platform asks the machine for them. */
export const ambientRule = {
  create(context: RuleContext) {
    const file = belowSource(context.filename, context.cwd);
    if (file === undefined || file.endsWith(".test.ts") || !outsidePlatform.test(file)) return {};
    const isDate = (node: Call): boolean => node.callee.name === "Date";
    const reportChance = (node: unknown, name: string | undefined): void => {
      if (name === undefined || !chance.has(name)) return;
      context.report({
        node,
        message: `${name} is chance: take an Ids, or bytes from platform, as an argument.`,
      });
    };
    const reportNow = (node: unknown): void =>
      context.report({ node, message: "The current time comes from a Clock, as an argument." });
    return {
      NewExpression(node: Call) {
        if (isDate(node) && node.arguments.length === 0) reportNow(node);
      },
      CallExpression(node: Call) {
        if (isDate(node)) reportNow(node);
        reportChance(node, node.callee.property?.name);
      },
      ImportSpecifier: (node: ImportSpecifier) => reportChance(node, node.imported?.name),
    };
  },
};
