import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Layer } from "./assets.ts";
import { asset, layer } from "./layers.fixture.ts";
import { composeLayers, contentHash, type Composition } from "./layers.ts";
import { sha256 } from "../swap/hashes.ts";

const compose = (...layers: Layer[]) => composeLayers(layers, { agents: true });
const paths = (composition: Composition) => [...composition.files.keys()];

function codeOf(work: () => unknown): { code?: string; details?: Record<string, unknown>; message?: string } {
  try {
    work();
    return {};
  } catch (error) {
    const { code, failure } = error as {
      code: string;
      failure: { details: Record<string, unknown>; message: string };
    };
    return { code, details: failure.details, message: failure.message };
  }
}

test("WS-61, WS-62: assets of the four folders stand under .agents, sorted bytewise, and nothing else does", () => {
  const composition = compose(
    layer("core", {
      "skills/s1/SKILL.md": "s",
      "rules/r1.md": "R1",
      "rules/a/b/c.md": "deep",
      "workflows/w1.md": "w",
      "hooks/pre.sh": "no",
      "templates/blank.yml": "no",
      "rules/.gitkeep": "",
      "rules/.DS_Store": "x",
      "README.md": "no",
    }),
  );
  expect(paths(composition)).toEqual([
    ".agents/rules/a/b/c.md",
    ".agents/rules/r1.md",
    ".agents/skills/s1/SKILL.md",
    ".agents/workflows/w1.md",
  ]);
});

test("WS-61: the order is that of UTF-8 bytes, not of UTF-16 units", () => {
  const composition = compose(layer("core", { "rules/\u{1F600}.md": "a", "rules/\uFF5E.md": "b" }));
  expect(paths(composition)).toEqual([".agents/rules/\uFF5E.md", ".agents/rules/\u{1F600}.md"]);
});

test("WS-17: agents/ is composed only when the schema allows it", () => {
  const one = layer("core", { "agents/a.yml": "name: a", "rules/r.md": "r" });
  expect([...composeLayers([one], { agents: false }).files.keys()]).toEqual([".agents/rules/r.md"]);
  expect([...composeLayers([one], { agents: true }).files.keys()]).toContain(".agents/agents/a.yml");
});

test("WS-63: a later layer wins and each override is one collision, losers highest first", () => {
  const composition = compose(
    layer("core", { "rules/r1.md": "R1" }),
    layer("acme", { "rules/r1.md": "RA" }),
    layer("top", { "rules/r1.md": "RT", "rules/r2.md": "R2" }),
  );
  expect(composition.files.get(".agents/rules/r1.md")?.sha256).toBe(sha256("RT"));
  expect(composition.collisions).toEqual([
    { file: ".agents/rules/r1.md", winner: "top", losers: ["acme", "core"] },
  ]);
  expect(composition.losers.get(".agents/rules/r1.md")?.map(({ origin }) => origin.stack)).toEqual([
    "acme",
    "core",
  ]);
});

test("WS-63: a skill whose files come from several layers is told", () => {
  const { warnings } = compose(
    layer("core", { "skills/s/SKILL.md": "---\nname: s\n---\n", "skills/s/a.txt": "a" }),
    layer("acme", { "skills/s/a.txt": "b", "skills/other/SKILL.md": "---\nname: other\n---\n" }),
  );
  const mixed = warnings.filter(({ code }) => code === "W_SKILL_MIXED");
  expect(mixed).toHaveLength(1);
  expect(mixed[0]?.message).toContain(".agents/skills/s come from several layers: acme, core");
});

test("WS-69: a large-file pointer is composed as it is, and told", () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12\n";
  const composition = compose(layer("core", { "skills/s/model.bin": pointer }));
  expect(composition.files.get(".agents/skills/s/model.bin")?.sha256).toBe(sha256(pointer));
  expect(composition.warnings.map(({ code }) => code)).toContain("W_LFS_POINTER");
});

test("WS-104: what is shared is composed as if the overlay had not been declared", () => {
  const overlay = layer("overlay", { "rules/r1.md": "MINE", "rules/secret.md": "S" }, { overlay: true });
  const composition = compose(layer("core", { "rules/r1.md": "R1" }), overlay);
  expect(composition.files.get(".agents/rules/r1.md")?.origin.stack).toBe("overlay");
  expect([...composition.shared].map(([path, { sha256: hash }]) => [path, hash])).toEqual([
    [".agents/rules/r1.md", sha256("R1")],
  ]);
  expect([...composition.overlay.keys()]).toEqual([".agents/rules/r1.md", ".agents/rules/secret.md"]);
});

describe("WS-58: E_PATH_CONFLICT names both origins", () => {
  test.each([
    ["letter case", { "rules/R1.md": "a" }, { "rules/r1.md": "b" }],
    ["composition of accents", { "rules/caf\u00E9.md": "a" }, { "rules/cafe\u0301.md": "b" }],
    ["a file where a folder stands", { "skills/x/SKILL.md": "a" }, { "skills/x": "b" }],
    ["a folder where a file stands", { "skills/x": "a" }, { "skills/x/SKILL.md": "b" }],
    ["a folder in other case where a file stands", { "rules/A": "a" }, { "rules/a/b.md": "b" }],
  ])("%s", (_, low, high) => {
    const { code, details, message } = codeOf(() => compose(layer("core", low), layer("acme", high)));
    expect(code).toBe("E_PATH_CONFLICT");
    expect(details).toMatchObject({ origins: [{ stack: "core" }, { stack: "acme" }] });
    expect(message).toMatch(/core.*acme/);
  });

  test("twins inside one stack are refused too", () => {
    expect(codeOf(() => compose(layer("core", { "rules/A.md": "a", "rules/a.md": "b" }))).code).toBe(
      "E_PATH_CONFLICT",
    );
  });
});

test.each([
  "rules/../../x.md",
  "rules/.git/config",
  "rules/con.md",
  "rules/a\\b.md",
  "rules/x\u200B.md",
  "rules/end ",
])("WS-61: the unsafe path %j of a stack is refused", (path) => {
  expect(codeOf(() => compose(layer("core", { [path]: "x" }))).code).toBe("E_UNSAFE_PATH");
});

describe("WS-59: bounds are E_LIMIT with limit, found and source", () => {
  const sized = (path: string, size: number) => ({ ...asset("core", path, "x"), size });
  const many = (count: number, size = 1) =>
    Array.from({ length: count }, (_, i) => sized(`rules/${i}.md`, size));

  test.each([
    ["one asset", [sized("rules/big.md", 5 * 1024 * 1024 + 1)], 5 * 1024 * 1024],
    ["files of a stack", many(5001), 5000],
    ["bytes of a stack", many(21, 5 * 1024 * 1024), 100 * 1024 * 1024],
  ])("%s", (_, assets, limit) => {
    const { code, details } = codeOf(() => compose(layer("core", {}, { assets })));
    expect(code).toBe("E_LIMIT");
    expect(details).toMatchObject({ limit, source: expect.stringContaining("core") });
  });

  test("a mirrored file, the number of stacks and of all files", () => {
    const metadata = [sized("README.md", 6 * 1024 * 1024)];
    expect(codeOf(() => compose(layer("core", {}, { metadata, product: "p" }))).code).toBe("E_LIMIT");
    const stacks = Array.from({ length: 65 }, (_, i) => layer(`s${i}`, {}));
    expect(codeOf(() => compose(...stacks)).details).toMatchObject({ limit: 64, found: 65 });
    const wide = Array.from({ length: 11 }, (_, i) =>
      layer(`s${i}`, {}, { assets: Array.from({ length: 5000 }, (__, j) => sized(`rules/${i}-${j}.md`, 1)) }),
    );
    expect(codeOf(() => compose(...wide)).details).toMatchObject({ limit: 50_000, found: 55_000 });
  });

  test("front matter of more than 16 KiB", () => {
    const text = `---\ndescription: ${"x".repeat(17_000)}\n---\nbody\n`;
    const { code, details } = codeOf(() => compose(layer("core", { "rules/r.md": text })));
    expect(code).toBe("E_LIMIT");
    expect(details).toMatchObject({ limit: 16_384, source: "core: rules/r.md" });
  });
});

describe("WS-64: copies under .stack/", () => {
  const meta = { "README.md": "r", "awac.yml": "a", "deploy.yml": "d", "devvault.yml": "v", LICENSE: "l" };

  test("only for a stack with a product, only the four files, with the stack's own bytes", () => {
    const { metadata, stackMetadata } = compose(
      layer("plain", meta),
      layer("acme", meta, { product: "acme" }),
    );
    expect(metadata.map(({ path }) => path)).toEqual([
      ".stack/acme/README.md",
      ".stack/acme/awac.yml",
      ".stack/acme/deploy.yml",
      ".stack/acme/devvault.yml",
    ]);
    expect(stackMetadata[1]).toEqual({
      product: "acme",
      file: ".stack/acme/awac.yml",
      sha256: sha256("a"),
      source_repo: "t/acme",
      source_commit: "a".repeat(40),
    });
  });

  test("an equal product, whatever its case, moves to a folder with the repository and then the organisation", () => {
    const one = (stack: string, product: string, orgName: string) =>
      layer(stack, { "awac.yml": stack }, { product, orgName, repoName: "stack" });
    const { metadata } = compose(one("a", "erp", "x"), one("b", "ERP", "y"), one("c", "erp", "z"));
    expect(metadata.map(({ path }) => path)).toEqual([
      ".stack/erp/awac.yml",
      ".stack/ERP.stack/awac.yml",
      ".stack/erp.stack.z/awac.yml",
    ]);
    const fourth = codeOf(() =>
      compose(one("a", "erp", "x"), one("b", "erp", "y"), one("c", "erp", "z"), one("d", "erp", "z")),
    );
    expect(fourth.code).toBe("E_PATH_CONFLICT");
  });
});

describe("WS-36: the content hash", () => {
  test("is the hash of mode, hash and path of every asset and mirrored file, sorted bytewise", () => {
    const one = layer("core", { "rules/b.md": "B", "rules/a.md": "A", "awac.yml": "p" }, { product: "p" });
    const text = [
      ["awac.yml", "p"],
      ["rules/a.md", "A"],
      ["rules/b.md", "B"],
    ]
      .map(([path, body]) => `100644 ${sha256(body ?? "")} ${path}\n`)
      .join("");
    expect(contentHash(one)).toBe(`sha256:${sha256(text)}`);
    expect(contentHash({ ...one, product: undefined })).not.toBe(contentHash(one));
    expect(contentHash({ ...one, assets: one.assets.toReversed() })).toBe(contentHash(one));
  });
});

const folder = fc.constantFrom("rules", "skills/s1", "workflows", "agents");
const texts = fc.dictionary(
  fc.tuple(folder, fc.constantFrom("a", "b", "c")).map(([at, name]) => `${at}/${name}.md`),
  fc.constantFrom("one", "two", "three"),
);
const layers = fc.array(texts, { maxLength: 5 }).map((list) => list.map((one, i) => layer(`s${i}`, one)));
const shape = ({ files }: Composition) =>
  [...files].map(([path, { sha256: hash, origin }]) => [path, hash, origin.stack]);

describe("WS-61: laws of composition", () => {
  test("the result depends on the layers in their order and not on the order of their files", () => {
    fc.assert(
      fc.property(layers, (list) => {
        const turned = list.map((one) => ({ ...one, assets: one.assets.toReversed() }));
        expect(shape(compose(...turned))).toEqual(shape(compose(...list)));
      }),
    );
  });

  test("the last layer that has a path wins it", () => {
    fc.assert(
      fc.property(layers, (list) => {
        for (const [path, won] of compose(...list).files) {
          const last = list.findLast(({ assets }) => assets.some((one) => `.agents/${one.path}` === path));
          expect(won.origin.stack).toBe(last?.stack);
        }
      }),
    );
  });

  test("adding a layer anywhere never removes a path", () => {
    fc.assert(
      fc.property(layers, texts, fc.nat(), (list, more, at) => {
        const grown = list.toSpliced(at % (list.length + 1), 0, layer("added", more));
        expect(paths(compose(...grown))).toEqual(expect.arrayContaining(paths(compose(...list))));
      }),
    );
  });
});
