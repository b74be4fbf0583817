import { Database } from "/work/main/packages/writ/src/research/library/database.ts";
import { libraryIn, alphaSeeds, alphaCiters } from "/work/main/test/research/library/works.ts";
import { mkdtempSync } from "node:fs";
const root = mkdtempSync("/tmp/l-prof-");
const { add } = libraryIn(root);
const stats = new Map<string, [number, number]>();
for (const m of ["run","rows"] as const) { const f = (Database.prototype as any)[m]; (Database.prototype as any)[m] = async function (s: string, v?: any) { const t = performance.now(); const r = await f.call(this, s, v); const d = performance.now() - t; const k = s.trim().slice(0, 70).replace(/\s+/g," "); const o = stats.get(k) ?? [0,0]; stats.set(k, [o[0]+1, o[1]+d]); return r; }; }
await add(alphaSeeds);
stats.clear();
const c0 = process.cpuUsage(); const t = performance.now();
for (let i=0;i<5;i++) await add(alphaCiters, {via:"citer", seed:false, hop:1});
const c = process.cpuUsage(c0);
console.log("wall per", (performance.now()-t)/5, "cpu per", (c.user+c.system)/5000);
for (const [k,[n,d]] of [...stats].sort((a,b)=>b[1][1]-a[1][1]).slice(0,22)) console.log((d/5).toFixed(1), n/5, k);
