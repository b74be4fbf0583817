import { Database } from "/work/main/packages/writ/src/research/library/database.ts";
import { libraryIn, workOf } from "/work/main/test/research/library/works.ts";
import { ingest } from "/work/main/packages/writ/src/research/library/ingest.ts";
import { mkdtempSync, statSync } from "node:fs";
const n = Number(process.argv[2] ?? 100000);
const root = mkdtempSync("/tmp/l-bulk-");
console.log(root);
const { change } = libraryIn(root);
const words = Array.from({length: 3000}, (_, i) => "word" + (i * 7919 % 3000).toString(36));
let seed = 1; const rnd = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
function* works() {
  for (let i = 0; i < n; i++) yield workOf({
    sourceId: "W" + (1000000 + i), doi: "10.5555/x" + i, title: "A title of work " + i, year: 1990 + i % 35, venue: "J " + i % 500, language: "en", type: "article", citedByCount: i % 100,
    abstract: Array.from({length: 120}, () => words[Math.floor(rnd() * 3000)]).join(" "),
    authorships: Array.from({length: 4}, (_, pos) => { const a = Math.floor(rnd() * n); return { pos, name: "Author " + a, id: "a" + a, openalex: "A" + a, orcid: null, institutions: [{ id: "I" + a % 5000, name: "Inst " + a % 5000, ror: null, country: "DE" }] }; }),
    keywords: [1,2,3].map(() => { const k = Math.floor(rnd() * 5000); return { id: "k" + k, name: "k " + k, score: 0.5 }; }),
    references: Array.from({length: 30}, () => "W" + (1000000 + Math.floor(rnd() * n * 3))),
  });
}
const T = performance.now(); let last = T;
const lap = (s: string) => { const t = performance.now(); console.log(s, ((t - last) / 1000).toFixed(1) + "s", "rss", (process.memoryUsage().rss / 1e6).toFixed(0), "heap", (process.memoryUsage().heapUsed / 1e6).toFixed(0), (process.memoryUsage().external / 1e6).toFixed(0)); last = t; };
const f = Database.prototype.run; (Database.prototype as any).run = async function (s: string, v?: any) { const c1 = process.cpuUsage(); const t = performance.now(); await f.call(this, s, v); const d = performance.now() - t; const c2 = process.cpuUsage(c1); if (d > 800) console.log("   ", (d/1000).toFixed(1), "cpu", (c2.user/1e6).toFixed(1), (c2.system/1e6).toFixed(1), s.trim().slice(0, 90).replace(/\s+/g, " ")); };
await change("seed", async (c) => {
  lap("open");
  await ingest(c, works(), { via: "import", seed: true, hop: 0, fetchedAt: new Date() });
  lap("ingest"); console.log(await c.db.rows("SELECT tag, memory_usage_bytes/1e6 AS mb, temporary_storage_bytes/1e6 AS tmp FROM duckdb_memory() WHERE memory_usage_bytes > 1e6"));
  console.log(await c.fold());
  lap("fold"); console.log(await c.db.rows("SELECT tag, memory_usage_bytes/1e6 AS mb, temporary_storage_bytes/1e6 AS tmp FROM duckdb_memory() WHERE memory_usage_bytes > 1e6"));
  return {};
});
lap("commit+close");
console.log("total", ((performance.now() - T) / 1000).toFixed(1), "maxrss", process.resourceUsage().maxRSS / 1e3, "file MB", statSync(root + "/.writ/research/library.duckdb").size / 1e6);
