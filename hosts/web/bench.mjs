// Milliseconds of update, all pairs and all neighbours: node bench.mjs [<agents>]
import { load } from './throng.mjs';

const throng = await load();
const agents = Number(process.argv[2] ?? 1_000_000);
const side = Math.sqrt(agents);
const crowd = throng.crowd({ commonHalfExtent: [0.4, 0.4] });
crowd.allot(agents);

let seed = 7;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
{
    const { positions } = crowd;
    for (let i = 0; i < positions.length; ++i) positions[i] = random() * side;
}

const best = {};
let pairs = 0;
for (let frame = 0; frame < 12; ++frame) {
    const { positions } = crowd;
    for (let i = 0; i < positions.length; ++i) positions[i] += (random() - 0.5) * 0.1;
    const time = (name, work) => {
        const start = performance.now();
        const result = work();
        best[name] = Math.min(best[name] ?? Infinity, performance.now() - start);
        return result;
    };
    time('update', () => crowd.update(undefined, { commonHalfExtent: [0.4, 0.4] }));
    pairs = time('pairs', () => crowd.pairs()).length;
    time('neighbours within 2', () => crowd.neighbours({ radius: 2 }));
}
console.log(`${agents} agents, ${pairs} pairs, ${throng.isa}, ${(throng.memoryBytes / 2 ** 20).toFixed(0)} MiB`);
for (const [name, ms] of Object.entries(best)) console.log(`${name}: ${ms.toFixed(1)} ms`);
