import { Socket } from "node:net";
import { networkInterfaces } from "node:os";

// This machine by its names and all of its numbers; a socket file has no host.
const ours = new Set([
  "localhost",
  "::",
  "0.0.0.0",
  ...Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
]);

const isOurs = (host: string | undefined): boolean =>
  host === undefined || ours.has(host) || /^(::ffff:)?127\./.test(host);

// Tests have servers of their own; whoever reaches beyond this machine would pass or fail with its weather.
const connect = Reflect.get(Socket.prototype, "connect") as (...args: unknown[]) => Socket;
Reflect.set(Socket.prototype, "connect", function guarded(this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args);
  if (isOurs(host)) return connect.apply(this, args);
  return this.destroy(new Error(`A test reached for the public network: ${host}`));
});

/** `connect(port, host)`, `connect({ host })`, `connect(path)`, and the array that Node hands to itself. */
function hostOf(args: readonly unknown[]): string | undefined {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === "object" && first !== null) return (first as { host?: string }).host;
  return typeof second === "string" ? second : undefined;
}

// What somebody keeps at home is none of a test's business, nor is their account on a forge.
process.env.HOME = "/nonexistent";
for (const name of [
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "XDG_DATA_HOME",
  "GIT_CONFIG_GLOBAL",
])
  delete process.env[name];
