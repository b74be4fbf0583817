import { fail, type Settings } from "../contract/index.ts";

const defaults = { host: "127.0.0.1", port: 4747 };

/** Where to listen: what was given, else the variable, else the default. */
export function listenOn(
  settings: Settings,
  given: { host?: string | undefined; port?: number | undefined },
): { host: string; port: number } {
  return {
    host: given.host ?? settings.env("WRIT_HOST") ?? defaults.host,
    port: given.port ?? portOf(settings.env("WRIT_PORT")) ?? defaults.port,
  };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw fail("E_INVALID_VALUE", {
    message: `WRIT_PORT cannot be "${text.slice(0, 40)}".`,
    cause: "A port is a whole number from 0 to 65535.",
    remediation: "Give another: writ up --port 4747",
  });
}
