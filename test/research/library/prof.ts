import { Database } from "/work/main/packages/writ/src/research/library/database.ts";
import { MemoryLibrary } from "./memory.ts";
import { ingest } from "/work/main/packages/writ/src/research/library/ingest.ts";
import { alphaSeeds, alphaCiters, at } from "./works.ts";
const lib = await MemoryLibrary.open();
if (process.argv[2]) await lib.db.run("SET threads=" + process.argv[2]);
const add = (w: any) => lib.change((one) => ingest(one, w, { via: "import", seed: true, hop: 0, fetchedAt: at(0) }));
const stats = new Map<string, [number, number]>();
for (const m of ["run","rows"] as const) { const f = (Database.prototype as any)[m]; (Database.prototype as any)[m] = async function (s: string, v?: any) { const t = process.cpuUsage(); const r = await f.call(this, s, v); const d = process.cpuUsage(t); const k = s.trim().slice(0, 70).replace(/\s+/g," "); const o = stats.get(k) ?? [0,0]; stats.set(k, [o[0]+1, o[1]+(d.user+d.system)/1000]); return r; }; }
await add(alphaSeeds);
stats.clear();
const c0 = process.cpuUsage(); const t = performance.now();
for (let i=0;i<5;i++) await add(alphaCiters);
const c = process.cpuUsage(c0);
console.log("wall per", (performance.now()-t)/5, "cpu per", (c.user+c.system)/5000, [...stats.values()].reduce((a,b)=>a+b[0],0)/5, "statements");
for (const [k,[n,d]] of [...stats].sort((a,b)=>b[1][1]-a[1][1]).slice(0,14)) console.log((d/5).toFixed(1), n/5, k);
