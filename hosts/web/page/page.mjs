// The page: a frame is update, pairs, bounce and draw, each of them timed. page.html has its elements.
const $ = id => document.getElementById(id);
const number = new Intl.NumberFormat('en');

// The module is packed into the page, so that it opens from a disk, where a page may fetch nothing.
async function unpacked() {
    const packed = Uint8Array.from(atob($('wasm').textContent.trim()), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
}

// No file and no environment: what the module asks the system for is not there.
const system = new Proxy({}, {
    get: (_, name) => (...values) => {
        if (name === 'proc_exit') throw new Error(`the module has ended with ${values[0]}`);
        if (name !== 'environ_sizes_get') return name === 'environ_get' ? 0 : 8;
        new Uint32Array(crowd.memory.buffer, values[0], 1)[0] = 0;
        new Uint32Array(crowd.memory.buffer, values[1], 1)[0] = 0;
        return 0;
    },
});
let crowd;
({ exports: crowd } = (await WebAssembly.instantiate(await unpacked(), { wasi_snapshot_preview1: system })).instance);
crowd._initialize();

const canvas = $('canvas');
const context = canvas.getContext('2d', { alpha: false });
const inputs = { agents: 0, speed: 1, radius: 0.3, size: 0.12 };
let steps, side, view, brush = 1, pointer, rayFrom, dragged, kept;
const smooth = {}; // averages of times, in which the newest frames count most

const hashOf = () => BigInt.asUintN(64, crowd.hash()).toString(16).padStart(16, '0');

function start(agents) {
    crowd.start(agents, inputs.radius);
    side = crowd.side();
    steps = 0;
    rayFrom = [side / 2, side / 2];
    whole();
}

function whole() {
    view = { x: side / 2, y: side / 2, scale: 0.96 * Math.min(canvas.width, canvas.height) / side };
}

// As many pixels as the window has, up to what is drawn in a few milliseconds.
function fit() {
    const { clientWidth: width, clientHeight: height } = canvas.parentElement;
    const density = Math.min(devicePixelRatio, Math.sqrt(1.6e6 / Math.max(width * height, 1)));
    const size = [Math.max(1, Math.round(width * density)), Math.max(1, Math.round(height * density))];
    if (canvas.width === size[0] && canvas.height === size[1]) return;
    [canvas.width, canvas.height] = size;
    whole();
}

const toWorld = (x, y) =>
    [view.x + (x - canvas.width / 2) / view.scale, view.y + (y - canvas.height / 2) / view.scale];
const toCanvas = ([x, y]) =>
    [(x - view.x) * view.scale + canvas.width / 2, (y - view.y) * view.scale + canvas.height / 2];

function timed(name, work) {
    const begin = performance.now();
    const result = work();
    const time = performance.now() - begin;
    smooth[name] = smooth[name] === undefined ? time : smooth[name] * 0.95 + time * 0.05;
    return result;
}

const refused = () => new Error('the crowd refused a step');

function step() {
    if (!timed('update', crowd.update) || !timed('pairs', crowd.find_pairs)) throw refused();
    timed('move', () => crowd.move(inputs.speed));
    ++steps;
}

// Where the brush is: at the pointer, or, before there is one, on a way of its own.
function brushAt() {
    if (pointer) return toWorld(...pointer);
    const turn = performance.now() / 4000;
    return [side * (0.5 + 0.3 * Math.cos(turn)), side * (0.5 + 0.3 * Math.sin(turn))];
}

// What is asked: from and to, in the world.
function question() {
    const at = brushAt();
    const half = inputs.size * Math.min(canvas.width, canvas.height) / view.scale / 2;
    if (brush === 0) return [[at[0] - half, at[1] - half], [at[0] + half, at[1] + half]];
    if (brush === 1) return [at, [at[0] + half, at[1]]];
    return brush === 2 ? [rayFrom, at] : [at, at];
}

function outline([from, to]) {
    const [[x, y], [toX, toY]] = [toCanvas(from), toCanvas(to)];
    context.strokeStyle = '#ff8cff';
    context.lineWidth = 1.5 * canvas.width / canvas.clientWidth;
    context.beginPath();
    if (brush === 0) context.rect(x, y, toX - x, toY - y);
    if (brush === 1) context.arc(x, y, toX - x, 0, 2 * Math.PI);
    if (brush === 2) {
        context.moveTo(x, y);
        context.lineTo(toX, toY);
        const time = crowd.ray_time();
        if (time < 1) {
            context.moveTo(x + (toX - x) * time + 6, y + (toY - y) * time);
            context.arc(x + (toX - x) * time, y + (toY - y) * time, 6, 0, 2 * Math.PI);
        }
    }
    if (brush === 3) context.arc(x, y, 3, 0, 2 * Math.PI);
    context.stroke();
}

function draw() {
    const asked = question();
    const nearest = Math.round(inputs.size * 200);
    const found = timed('ask', () => crowd.ask(brush, ...asked[0], ...asked[1], nearest));
    const { width, height } = canvas;
    const seen = timed('draw', () => {
        const count = crowd.draw(view.x, view.y, view.scale, width, height);
        const pixels = new Uint8ClampedArray(crowd.memory.buffer, crowd.pixels(), 4 * width * height);
        context.putImageData(new ImageData(pixels, width, height), 0, 0);
        return count;
    });
    outline(asked);
    return [found, seen];
}

const milliseconds = name => `${smooth[name].toFixed(smooth[name] < 10 ? 2 : 1)} ms`;

function show(found, seen) {
    $('fps').textContent = (1000 / smooth.frame).toFixed(0);
    for (const name of ['update', 'pairs', 'move', 'draw']) {
        $(name).textContent = milliseconds(name);
        $(`${name}-bar`).style.width = `${Math.min(100, smooth[name] / 16.7 * 100)}%`;
    }
    $('pair-count').textContent = number.format(crowd.pairs());
    $('in-view').textContent = number.format(seen);
    $('found').textContent = `${number.format(found)} found`;
    $('ask').textContent = `in ${milliseconds('ask')}`;
    $('steps').textContent = number.format(steps);
    $('agents-now').textContent = number.format(inputs.agents);
}

let last;
function frame(now) {
    if (last !== undefined) smooth.frame = (smooth.frame ?? now - last) * 0.95 + (now - last) * 0.05;
    last = now;
    fit();
    step();
    const counts = draw();
    if (steps % 10 === 1 && smooth.frame) show(...counts);
    // It reads all there is, which takes about as long as an update.
    if (steps % 60 === 1) $('hash').textContent = hashOf();
    requestAnimationFrame(frame);
}

function restart(agents) {
    inputs.agents = agents;
    for (const name of Object.keys(smooth)) delete smooth[name];
    last = undefined;
    start(agents);
}

/** What a new crowd comes to: its pairs and its hash, after steps at the speed and with the radius of native code's. */
function run(agents, count) {
    crowd.start(agents, 0.3);
    for (let i = 0; i < count; ++i) {
        if (!crowd.update() || !crowd.find_pairs()) throw refused();
        crowd.move(1);
    }
    const result = { pairs: crowd.pairs(), hash: hashOf() };
    restart(inputs.agents);
    return result;
}

function check() {
    const differ = golden.filter(([agents, count, pairs, hash]) => {
        const own = run(agents, count);
        return own.pairs !== pairs || own.hash !== hash;
    });
    const agents = lines => lines.map(line => number.format(line[0])).join(', ');
    $('checked').textContent = differ.length === 0
        ? `Equal to the bit: positions, velocities and pairs of ${agents(golden)} agents.`
        : `Different from native code with ${agents(differ)} agents.`;
}

for (const name of Object.keys(inputs)) {
    const input = $(name);
    const value = () => (name === 'agents' ? Math.round(10 ** input.value) : Number(input.value));
    const told = () => {
        $(`${name}-value`).textContent = name === 'size' && brush === 3 ? `${Math.round(inputs.size * 200)} nearest`
            : number.format(name === 'agents' ? value() : inputs[name]);
    };
    input.addEventListener('input', () => {
        if (name !== 'agents') inputs[name] = value();
        if (name === 'radius') crowd.set_radius(inputs.radius);
        told();
    });
    if (name === 'agents') input.addEventListener('change', () => restart(value()));
    // With another brush the size means something else.
    input.addEventListener('told', told);
    told();
}
const buttons = document.querySelectorAll('[data-brush]');
for (const button of buttons) {
    button.addEventListener('click', () => {
        brush = Number(button.dataset.brush);
        for (const other of buttons) other.ariaPressed = String(other === button);
        $('size').dispatchEvent(new Event('told'));
    });
}
$('check').addEventListener('click', check);

const placeOf = event => {
    const density = canvas.width / canvas.clientWidth;
    return [event.offsetX * density, event.offsetY * density];
};
canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    dragged = false;
    kept = placeOf(event);
});
canvas.addEventListener('pointermove', event => {
    pointer = placeOf(event);
    if (!kept) return;
    dragged ||= Math.hypot(pointer[0] - kept[0], pointer[1] - kept[1]) > 4;
    if (!dragged) return;
    view.x -= (pointer[0] - kept[0]) / view.scale;
    view.y -= (pointer[1] - kept[1]) / view.scale;
    kept = pointer;
});
canvas.addEventListener('pointerup', event => {
    kept = undefined;
    if (!dragged) rayFrom = toWorld(...placeOf(event));
});
canvas.addEventListener('pointercancel', () => { kept = undefined; });
canvas.addEventListener('dblclick', whole);
canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const place = placeOf(event);
    const before = toWorld(...place);
    view.scale *= 1.0015 ** -event.deltaY;
    const after = toWorld(...place);
    view.x += before[0] - after[0];
    view.y += before[1] - after[1];
}, { passive: false });

// A page that is opened with #agents=10000 begins with these.
const wanted = Number(new URLSearchParams(location.hash.slice(1)).get('agents'));
const first = wanted >= 1000 && wanted <= 1e6 ? wanted : 1e6;
$('agents').value = Math.log10(first);
$('agents-value').textContent = number.format(first);
fit();
restart(first);
requestAnimationFrame(frame);
// For tests.
window.page = { run, golden, get steps() { return steps; }, get times() { return { ...smooth }; } };
