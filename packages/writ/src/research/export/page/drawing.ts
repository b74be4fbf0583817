/** The part of the page's script that draws; it knows `at`, `network`, `chosen` and `matches` of the other. */
export const drawing = /* js */ `const map = at("map");
const pen = map.getContext("2d");
const look = { x: 0, y: 0, scale: 1, fitting: 1 };
let waiting = false;

/** Once for each network: sizes, neighbours with the strongest first, and the best linked nodes first. */
function prepare(one) {
  if (one.neighbours) return;
  const near = one.nodes.map(() => []);
  for (const [a, b, weight] of one.edges) {
    near[a].push([b, weight]);
    near[b].push([a, weight]);
  }
  for (const list of near) list.sort((x, y) => y[1] - x[1] || x[0] - y[0]);
  one.neighbours = near;
  one.heaviest = one.edges.reduce((most, [, , weight]) => Math.max(most, weight), 0);
  one.byDegree = [...one.nodes.keys()].sort((a, b) => one.nodes[b].degree - one.nodes[a].degree || a - b);
  const most = one.nodes.reduce((top, { degree }) => Math.max(top, degree), 1);
  const widest = Math.min(16, Math.max(5, 110 / Math.sqrt(one.nodes.length + 1)));
  for (const node of one.nodes) node.radius = 2.5 + widest * Math.sqrt(node.degree / most);
  // A ring tells seeds apart only where there are others.
  one.hasRings = one.nodes.some(({ seed }) => seed) && one.nodes.some(({ seed }) => !seed);
}

const toScreen = ({ x, y }) => [(x - look.x) * look.scale + map.clientWidth / 2, (y - look.y) * look.scale + map.clientHeight / 2];
const toWorld = (x, y) => [(x - map.clientWidth / 2) / look.scale + look.x, (y - map.clientHeight / 2) / look.scale + look.y];

/** Shows everything. */
function whole() {
  const xs = network.nodes.map(({ x }) => x);
  const ys = network.nodes.map(({ y }) => y);
  const span = (list) => [list.reduce((a, b) => Math.min(a, b), Infinity), list.reduce((a, b) => Math.max(a, b), -Infinity)];
  const [[left, right], [top, bottom]] = [span(xs), span(ys)];
  Object.assign(look, { x: (left + right) / 2, y: (top + bottom) / 2 });
  const [wide, high] = [Math.max(map.clientWidth - 90, 50), Math.max(map.clientHeight - 110, 50)];
  look.scale = Math.min(wide / Math.max(right - left, 1e-9), high / Math.max(bottom - top, 1e-9));
  look.fitting = look.scale;
  draw();
}

function centre(k) {
  Object.assign(look, { x: network.nodes[k].x, y: network.nodes[k].y });
  draw();
}

function zoom(factor, x = map.clientWidth / 2, y = map.clientHeight / 2) {
  const [worldX, worldY] = toWorld(x, y);
  look.scale *= factor;
  look.x = worldX - (x - map.clientWidth / 2) / look.scale;
  look.y = worldY - (y - map.clientHeight / 2) / look.scale;
  draw();
}

function resize() {
  const ratio = devicePixelRatio || 1;
  map.width = Math.max(1, Math.round(map.clientWidth * ratio));
  map.height = Math.max(1, Math.round(map.clientHeight * ratio));
  draw();
}

function draw() {
  if (waiting || network === undefined) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    if (!map.hidden) drawNow();
  });
}

function drawNow() {
  const ratio = devicePixelRatio || 1;
  const looks = getComputedStyle(map);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = looks.backgroundColor;
  pen.fillRect(0, 0, map.clientWidth, map.clientHeight);
  const places = network.nodes.map(toScreen);
  const near = chosen < 0 ? undefined : new Set([chosen, ...network.neighbours[chosen].map(([k]) => k)]);
  const isFaint = (k) => (near !== undefined ? !near.has(k) : matches !== undefined && !matches.has(k));
  drawEdges(places, near, looks);
  for (const k of [...network.byDegree].reverse()) {
    const [x, y] = places[k];
    const node = network.nodes[k];
    if (x < -40 || y < -40 || x > map.clientWidth + 40 || y > map.clientHeight + 40) continue;
    pen.globalAlpha = isFaint(k) ? 0.15 : 1;
    pen.beginPath();
    pen.arc(x, y, node.radius, 0, 2 * Math.PI);
    pen.fillStyle = node.colour;
    pen.fill();
    const isRinged = k === chosen || (network.hasRings && node.seed);
    pen.lineWidth = k === chosen ? 2.5 : isRinged ? 1.5 : 0.75;
    pen.strokeStyle = isRinged ? looks.color : looks.backgroundColor;
    pen.stroke();
  }
  drawLabels(places, isFaint, looks);
  pen.globalAlpha = 1;
}

function drawEdges(places, near, looks) {
  pen.strokeStyle = looks.color;
  const crowd = Math.min(1, 3000 / Math.max(network.edges.length, 1));
  for (const [a, b, weight] of network.edges) {
    const isNear = near !== undefined && (a === chosen || b === chosen);
    if (near !== undefined && !isNear && network.edges.length > 20000) continue;
    const share = network.heaviest > 0 ? weight / network.heaviest : 1;
    pen.globalAlpha = isNear ? 0.55 : (near === undefined && matches === undefined ? 0.06 + 0.24 * share * (0.3 + 0.7 * crowd) : 0.04);
    pen.lineWidth = 0.5 + 2 * share;
    pen.beginPath();
    pen.moveTo(...places[a]);
    pen.lineTo(...places[b]);
    pen.stroke();
  }
}

/** Names of the best linked nodes, as many as stand apart from each other. */
function drawLabels(places, isFaint, looks) {
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.lineJoin = "round";
  const taken = [];
  // More names as one comes closer.
  const most = Math.min(80, Math.round(18 * Math.max(1, look.scale / look.fitting) ** 1.5));
  const order = chosen < 0 ? network.byDegree : [chosen, ...network.byDegree.filter((k) => k !== chosen)];
  for (const k of order) {
    if (taken.length >= most) break;
    const [x, y] = places[k];
    if (isFaint(k) || x < 0 || y < 0 || x > map.clientWidth || y > map.clientHeight) continue;
    const { label, radius } = network.nodes[k];
    const text = label.length > 34 ? label.slice(0, 33) + "…" : label;
    const half = pen.measureText(text).width / 2;
    const box = [x - half - 4, y + radius + 1, x + half + 4, y + radius + 17];
    if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) continue;
    taken.push(box);
    pen.globalAlpha = 1;
    pen.lineWidth = 3;
    pen.strokeStyle = looks.backgroundColor;
    pen.strokeText(text, x, y + radius + 2);
    pen.fillStyle = looks.color;
    pen.fillText(text, x, y + radius + 2);
  }
}

/** The node under a point, the smallest first where several lie. */
function nodeAt(x, y) {
  let best = -1;
  network.nodes.forEach((node, k) => {
    const [nodeX, nodeY] = toScreen(node);
    const isNear = (nodeX - x) ** 2 + (nodeY - y) ** 2 <= (node.radius + 3) ** 2;
    if (isNear && (best < 0 || node.radius < network.nodes[best].radius)) best = k;
  });
  return best;
}

const fingers = new Map();
let travelled = 0;
map.addEventListener("pointerdown", (event) => {
  map.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, event);
  travelled = 0;
});
map.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const others = [...fingers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
  if (others.length === 1) {
    const far = (one) => Math.hypot(one.offsetX - others[0].offsetX, one.offsetY - others[0].offsetY);
    zoom(far(event) / Math.max(far(before), 1), others[0].offsetX, others[0].offsetY);
  } else {
    look.x -= (event.offsetX - before.offsetX) / look.scale;
    look.y -= (event.offsetY - before.offsetY) / look.scale;
    draw();
  }
  travelled += Math.hypot(event.offsetX - before.offsetX, event.offsetY - before.offsetY);
  fingers.set(event.pointerId, event);
});
for (const ended of ["pointerup", "pointercancel"]) map.addEventListener(ended, (event) => {
  const isClick = ended === "pointerup" && fingers.size === 1 && travelled < 5;
  fingers.delete(event.pointerId);
  if (isClick) choose(nodeAt(event.offsetX, event.offsetY));
});
map.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
}, { passive: false });
const moves = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
map.addEventListener("keydown", (event) => {
  const move = moves[event.key];
  if (move) {
    look.x += move[0] / look.scale;
    look.y += move[1] / look.scale;
    draw();
  } else if (event.key === "+" || event.key === "=") zoom(1.25);
  else if (event.key === "-") zoom(0.8);
  else if (event.key === "0") whole();
  else return;
  event.preventDefault();
});
at("closer").addEventListener("click", () => zoom(1.4));
at("farther").addEventListener("click", () => zoom(1 / 1.4));
at("whole").addEventListener("click", () => whole());
new ResizeObserver(resize).observe(map);
`;
