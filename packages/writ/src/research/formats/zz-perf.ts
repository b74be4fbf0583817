import { readImport } from "/work/main/packages/writ/src/research/formats/read.ts";
const kind = process.argv[2];
const n = Number(process.argv[3] ?? 100000);
async function* gen() {
  let buf: string[] = [];
  for (let i = 0; i < n; i++) {
    if (kind === "bibtex") buf.push(`@article{k${i}, title={A {Study} of Things number ${i} with M{\\"u}ller}, author={Diaz, Carla and Ruiz, Ana and van der Berg, Jan}, journal={J One}, year={2020}, doi={10.7777/x.${i}}, keywords={alpha; beta, gamma}, abstract={${"lorem ipsum dolor sit amet consectetur ".repeat(25)}}}\n`);
    else buf.push(`TY  - JOUR\nTI  - A Study ${i}\nAU  - Diaz, Carla\nAU  - Ruiz, Ana\nJO  - J One\nPY  - 2020/05/01\nDO  - 10.7777/x.${i}\nKW  - alpha\nKW  - beta\nAB  - ${"lorem ipsum dolor sit amet consectetur ".repeat(25)}\nER  - \n\n`);
    if (buf.length === 50) { yield Buffer.from(buf.join("")); buf = []; }
  }
  yield Buffer.from(buf.join(""));
}
let peak = 0; const t = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 20);
const t0 = performance.now();
const r = await readImport({ name: "x", bytes: gen });
let count = 0; let last;
for await (const w of r.works) { count++; last = w; if (count % 2000 === 0) await new Promise(setImmediate); }
clearInterval(t);
console.log(kind, count, ((performance.now() - t0) / 1000).toFixed(1) + "s", "peak MiB", (Math.max(peak, process.memoryUsage().rss) / 2 ** 20).toFixed(0), process.resourceUsage().maxRSS/1024, last?.authorships.map(a=>a.name), last?.title, r.report().warnings);
