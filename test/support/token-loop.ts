import { createApp, thisMachine } from "../../packages/writ/src/app/index.ts";

// A child process that makes tokens one after another, and tells on standard output what it is at: a line
// before each call and one after it.
const [root = "", name = "", count = "0"] = process.argv.slice(2);
const app = createApp({ ...thisMachine(), login: "ana" });
const tell = (line: string): void => void process.stdout.write(`${line}\n`);
for (let i = 1; i <= Number(count); i++) {
  const key = `${name}-${i}`;
  tell(`begin ${key}`);
  const answer = await app.execute({
    capability: "token.create",
    surface: "cli",
    input: { subject: `user:${name}` },
    where: { flag: root },
    base: root,
    credential: { terminal: true },
    idempotencyKey: key,
    signal: new AbortController().signal,
  });
  tell(answer.ok ? `done ${key} ${String(answer.data.id)}` : `failed ${key} ${answer.error?.code}`);
}
await app.close();
