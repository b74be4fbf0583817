import { registerHooks } from "node:module";

// Makes one call in the folder it is given, with its own environment, and tells what of the exporter it loaded.
const loaded = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@opentelemetry/")) loaded.add(specifier);
    return next(specifier, context);
  },
});
const { createApp, thisMachine } = await import("../../../packages/writ/src/app/index.ts");
const [root = ""] = process.argv.slice(2);
const app = createApp(thisMachine());
const answer = await app.execute({
  capability: "schema",
  surface: "cli",
  input: {},
  where: { cwd: root },
  base: root,
  credential: { terminal: true },
  signal: new AbortController().signal,
});
await app.close();
process.stdout.write(JSON.stringify({ ok: answer.ok, loaded: [...loaded] }));
