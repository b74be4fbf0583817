import { join } from "node:path";
import type { Context } from "../../contract/index.ts";
import { type NetworkReader, openReader } from "../export/network-file.ts";
import type { Target } from "../export/target.ts";
import type { Database } from "../library/database.ts";
import { corpusHash } from "../library/hash.ts";
import { scopeSql } from "../library/scope.ts";
import { findCitations } from "../networks/citations.ts";
import { fingerprint } from "../networks/fingerprint.ts";
import { kinds } from "../networks/kinds.ts";
import type { ThesaurusCounts } from "../networks/links.ts";
import { leftOut } from "../networks/empty.ts";
import { inWords } from "../networks/numbers.ts";
import { type Projection, project } from "../networks/project.ts";
import type { NetworkSpec } from "../networks/spec.ts";
import { type ActiveThesaurus, activeThesaurus } from "../networks/thesaurus.ts";
import { chainForward, waysOut } from "../networks/ways-out.ts";
import type { Phases } from "../sources/progress.ts";
import { analyse, hasGraphml } from "./analyse.ts";
import type { BuildIndex, BuiltFacts } from "./index-file.ts";
import { contentVersion } from "./recorded.ts";
import { writeNetwork } from "./files.ts";
import { maturityOf } from "./maturity.ts";
import { assortativityOf } from "./metrics.ts";
import type { BuildData } from "./output.ts";
import type { BuildRequest } from "./request.ts";

// So many are worth all threads, though their library is small: see where it is opened.
const manyPapers = 10_000;

/** What one reading of the library gave. */
export interface Found {
  corpusHash: string;
  papers: number;
  networks: BuildData["networks"];
  empty: BuildData["empty_networks"];
  skipped: BuildData["skipped_networks"];
  maturity: BuildData["maturity"];
  thesaurus?: ThesaurusCounts;
  /** Of each network that was looked at and has edges, or has none; what was skipped stays as it was. */
  facts: BuildIndex;
  specs: Map<string, { spec: NetworkSpec; contentVersion: number; fingerprint: string; corpusHash: string }>;
}

interface ReadingOptions {
  request: BuildRequest;
  target: Target;
  phases: Phases;
  runId: string;
  /** Where the networks are written; undefined where nothing is to be written. */
  stage: string | undefined;
}

/** One reading of the library: each network in turn through the same temporary tables. */
export class Reading {
  readonly #ctx: Context;
  readonly #db: Database;
  readonly #with: ReadingOptions;
  readonly #hashes = new Map<string, string>();
  #thesaurus: ActiveThesaurus | undefined;
  #hasCitations = false;
  /** Reads back what was written. */
  #reader: NetworkReader | undefined;
  readonly #found: Found;

  constructor(ctx: Context, db: Database, given: ReadingOptions) {
    this.#ctx = ctx;
    this.#db = db;
    this.#with = given;
    this.#found = {
      corpusHash: "",
      papers: 0,
      networks: [],
      empty: [],
      skipped: [],
      maturity: { curated: false, scope: "", saturated: false, saturation: null, empty_networks: [] },
      facts: {},
      specs: new Map(),
    };
  }

  async all(): Promise<Found> {
    try {
      return await this.#all();
    } finally {
      await this.#reader?.close();
    }
  }

  async #all(): Promise<Found> {
    const { request, phases } = this.#with;
    const found = this.#found;
    const where = scopeSql(request.scope, { includeRejected: request.includeRejected });
    const papers = await this.#db.row<{ papers: number; cited: number }>(
      `SELECT count(*) AS papers, count(*) FILTER (len(cited_by_id) > 0) AS cited FROM papers WHERE ${where}`,
    );
    found.papers = papers?.papers ?? 0;
    if (found.papers >= manyPapers) await this.#db.allThreads();
    if (found.papers > 0) found.corpusHash = await this.#hashOf(request);
    if (found.papers > 0 || request.specs.some(({ scope }) => scope !== request.scope)) {
      this.#thesaurus = await this.#thesaurusInForce();
      const isLeftOut = (spec: NetworkSpec) =>
        request.isDefault && spec.kind === "cocitation" && papers?.cited === 0;
      const specs = request.specs.filter((spec) => !isLeftOut(spec));
      if (specs.length < request.specs.length) await this.#hint(where);
      phases.tell("pairs", { done: 0, total: specs.length });
      for (const [done, spec] of specs.entries()) {
        this.#ctx.signal.throwIfAborted();
        phases.tell("pairs", { item: spec.name, done, total: specs.length });
        await this.#one(spec);
      }
      phases.tell("write", { done: specs.length, total: specs.length });
    }
    const empty = found.empty.map(({ kind }) => kind);
    found.maturity = await maturityOf(this.#db, { scope: request.scope, empty });
    return found;
  }

  async #one(spec: NetworkSpec): Promise<void> {
    const found = this.#found;
    const { name, kind } = spec;
    const projected = await project(this.#db, spec, this.#thesaurus);
    if (projected.skipped) {
      found.skipped.push({ name, kind, ...projected.skipped });
      return;
    }
    const counts = projected.made?.thesaurus ?? projected.thesaurus;
    if (counts) found.thesaurus = counts;
    found.specs.set(name, {
      spec,
      contentVersion: await contentVersion(this.#db),
      fingerprint: await fingerprint(this.#db, spec),
      corpusHash: await this.#hashOf(spec),
    });
    if (projected.empty) {
      found.empty.push({ name, kind, ...projected.empty });
      found.facts[name] = null;
      return;
    }
    await this.#write(projected.made);
  }

  async #write(projection: Projection): Promise<void> {
    const { request, target, phases, stage } = this.#with;
    const { spec, nodes, edges } = projection;
    const { name, kind } = spec;
    this.#warnHub(projection);
    const shown = join(target.shown, name);
    const paths = { graphml: join(shown, "network.graphml"), metrics_json: join(shown, "metrics.json") };
    if (stage === undefined) {
      this.#found.networks.push({ name, kind, nodes, edges, ...paths });
      return;
    }
    const analysed = await analyse(this.#db, projection, {
      noLimits: request.noLimits,
      onStep: (measure) => {
        this.#ctx.signal.throwIfAborted();
        phases.tell("analyse", { item: name, message: measure });
      },
    });
    this.#warnLimits(name, analysed.measures.limited);
    phases.tell("write", { item: name });
    const facts = { corpusHash: await this.#hashOf(spec), version: this.#ctx.registered.version };
    this.#reader ??= await openReader(stage);
    if (kinds[kind].node === "paper") await this.#citationsBeside(spec);
    const network = { projection, analysed, facts, reader: this.#reader };
    const { clusters } = await writeNetwork(this.#db, join(stage, name), network);
    const assortativity = assortativityOf(spec, analysed);
    this.#found.networks.push({
      name,
      kind,
      nodes,
      edges,
      ...paths,
      ...(!hasGraphml(analysed) && { graphml: null }),
      ...(clusters && { clusters_csv: join(shown, "clusters.csv") }),
      ...(assortativity && { assortativity }),
    });
    this.#found.facts[name] = this.#factsOf(projection);
  }

  /** Asked for only by what is written: a network of papers that is refused or empty costs none of it. */
  async #citationsBeside(spec: NetworkSpec): Promise<void> {
    if (!this.#hasCitations) await findCitations(this.#db, spec);
    this.#hasCitations = true;
  }

  #factsOf({ spec, nodes, edges }: Projection): BuiltFacts {
    const made = this.#found.specs.get(spec.name);
    return {
      build_id: this.#ctx.ids.next("nb"),
      run_id: this.#with.runId,
      kind: spec.kind,
      scope: spec.scope,
      params: { ...spec },
      corpus_hash: made?.corpusHash ?? "",
      fingerprint: made?.fingerprint ?? "",
      content_version: made?.contentVersion ?? 0,
      nodes,
      edges,
      built_at: new Date(this.#ctx.clock.now()).toISOString(),
    };
  }

  async #thesaurusInForce(): Promise<ActiveThesaurus | undefined> {
    const { thesaurus } = this.#with.request;
    if (thesaurus === "off") return undefined;
    if (thesaurus === "active") return activeThesaurus(this.#db);
    return { ...thesaurus.read, appliedAt: new Date(this.#ctx.clock.now()).toISOString() };
  }

  async #hashOf(of: { scope: NetworkSpec["scope"]; includeRejected: boolean }): Promise<string> {
    const where = scopeSql(of.scope, { includeRejected: of.includeRejected, as: "p" });
    const known = this.#hashes.get(where) ?? (await corpusHash(this.#db, where));
    this.#hashes.set(where, known);
    return known;
  }

  async #hint(where: string): Promise<void> {
    const { isUnknown, citers } = await waysOut(this.#db, `(SELECT id FROM papers WHERE ${where})`);
    this.#ctx.warn({
      code: "W_COCITATION_HINT",
      message: `No citers are known, so co-citation was not built.${isUnknown ? " No source knows these papers yet: their DOIs are looked up first." : ""}`,
      remediation: isUnknown ? `${citers} && ${chainForward}` : citers,
    });
  }

  #warnHub({ spec, hub }: Projection): void {
    if (!hub || hub.items === 0) return;
    this.#ctx.warn({
      code: "W_HUB_CAP",
      message: `${spec.name}: the hub cap left out ${leftOut(hub)}.`,
    });
  }

  #warnLimits(name: string, limited: readonly { measure: string; limit: number; found: number }[]): void {
    if (limited.length === 0) return;
    this.#ctx.warn({
      code: "W_LIMITED",
      message: `${name}: too large for ${limited.map(({ measure, limit, found }) => `${measure} (${inWords(found)}, at most ${inWords(limit)})`).join(", ")}.`,
      remediation: "writ research build --no-limits",
    });
  }
}
