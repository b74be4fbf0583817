import { describe, expect, test } from "vitest";
import { clients, findClient, readersOf } from "./clients.ts";
import { planContext } from "./context-plan.ts";

describe("WS-70: agent_context made whole", () => {
  test("a missing block and a missing key have the built-in default", () => {
    expect(planContext()).toEqual({
      canonical: "CLAUDE.md",
      copies: ["AGENTS.md"],
      imports: [],
      plain: [],
      nativeRules: [],
      skillFolders: [".claude/skills"],
      clients: [],
      budgetBytes: 12_288,
      paths: ["CLAUDE.md", "AGENTS.md"],
    });
    expect(planContext({ canonical: "AGENTS.md" })).toMatchObject({ paths: ["AGENTS.md"], skillFolders: [] });
    expect(planContext({ mirrors: [] }).paths).toEqual(["CLAUDE.md"]);
  });

  test("mirrors and extras take the role that their form asks for", () => {
    const plan = planContext({
      canonical: "AGENTS.md",
      mirrors: [
        { path: "CLAUDE.md", mode: "import" },
        { path: "GEMINI.md", mode: "copy" },
      ],
      extras: [
        { path: ".cursorrules", header: false },
        { path: ".github/copilot-instructions.md" },
        { format: "cursor-rules-dir", path: ".cursor/rules/" },
      ],
      budget_bytes: 4096,
    });
    expect(plan).toMatchObject({
      copies: ["GEMINI.md", ".github/copilot-instructions.md"],
      imports: ["CLAUDE.md"],
      plain: [".cursorrules"],
      nativeRules: [{ format: "cursor-rules-dir", path: ".cursor/rules" }],
      budgetBytes: 4096,
      skillFolders: [".claude/skills"],
    });
  });

  test("a client adds its first file unless it reads one already, its rules folder and its skill links", () => {
    const plan = planContext({
      canonical: "AGENTS.md",
      mirrors: [],
      clients: ["claude-code", "gemini-cli", "cursor", "windsurf", "copilot", "codex"],
    });
    expect(plan.copies).toEqual(["CLAUDE.md", "GEMINI.md"]);
    expect(plan.nativeRules.map(({ path }) => path)).toEqual([
      ".claude/rules",
      ".cursor/rules",
      ".windsurf/rules",
      ".github/instructions",
    ]);
    expect(plan.skillFolders).toEqual([".claude/skills", ".windsurf/skills"]);
  });

  test("nothing is loaded twice: opencode reads CLAUDE.md where that is all there is", () => {
    expect(planContext({ mirrors: [], clients: ["opencode"] }).paths).toEqual(["CLAUDE.md"]);
    expect(planContext({ mirrors: [], clients: ["codex"] }).paths).toEqual(["CLAUDE.md", "AGENTS.md"]);
  });
});

describe("WS-71: the client table", () => {
  test("has one row a client, each dated", () => {
    expect(clients.map(({ id }) => id)).toEqual([
      "claude-code",
      "codex",
      "cursor",
      "gemini-cli",
      "copilot",
      "opencode",
      "windsurf",
      "antigravity",
      "amp",
      "zed",
      "aider",
      "jules",
    ]);
    for (const client of clients) {
      expect(client.checkedOn).toBe("2026-11");
      expect(client.instructionFiles.length).toBeGreaterThan(0);
    }
  });

  test("tells who reads a file, and refuses an unknown id with the nearest", () => {
    expect(readersOf("GEMINI.md").map(({ id }) => id)).toEqual(["gemini-cli", "copilot"]);
    expect(() => findClient("cursr")).toThrowError(
      expect.objectContaining({
        code: "E_UNKNOWN_CLIENT",
        failure: expect.objectContaining({ remediation: expect.stringContaining('"cursor"') }),
      }),
    );
  });
});
