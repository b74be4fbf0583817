import { appendFileSync } from "node:fs";
import { serveMcpStdio } from "../../packages/writ/src/surfaces/mcp/index.ts";
import { awkward, createStage } from "./awkward.ts";
import { surfaceDeps } from "./surface.ts";

// A child process that serves the awkward capabilities on its standard streams; what happened is told in a file.
const [told] = process.argv.slice(2);
const stage = createStage();
const deps = surfaceDeps(awkward(stage));
const tell = (line: string) => {
  if (told) appendFileSync(told, `${line}\n`);
};
for (const times of [1, 2]) {
  for (const what of ["begun", "cancelled"] as const) {
    void stage.when(what, "slow.wait", times).then(() => tell(`${what} ${times}`));
  }
}
const { closed } = serveMcpStdio(deps, {
  profile: ["echo.say", "slow.wait", "bad.check"],
  credential: { terminal: true },
  input: process.stdin,
  output: process.stdout,
});
await closed;
tell("closed");
