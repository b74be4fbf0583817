import { startGitHttpServer } from "../../test/fixtures/git-http-server.ts";

// A git server over HTTP in a process of its own: what is measured runs in others, and the bench waits for them.
const [folder = "", delayMs = "0"] = process.argv.slice(2);
const server = await startGitHttpServer(folder);
server.behave({ delayMs: Number(delayMs) });
process.once("SIGTERM", () => void server.close());
console.log(server.url);
