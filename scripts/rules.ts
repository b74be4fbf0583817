/** Prints which rules no test cites yet. */
import { citations } from "../test/citations.ts";
import { rules } from "../test/rules.ts";

const cited = await citations();
const all = Object.entries(rules);
const uncited = all.filter(([rule]) => !cited.has(rule));
for (const [rule, text] of uncited) console.log(`${rule.padEnd(7)} ${text}`);
console.log(
  `${all.length - uncited.length} of ${all.length} rules are cited by a test, ${uncited.length} are not`,
);
