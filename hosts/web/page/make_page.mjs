// Makes the page, one file that opens from a disk: node make_page.mjs <throng_page.wasm> <golden.txt> <page>
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const most = 400_000; // bytes, as a server that compresses sends it

const [wasm, golden, page] = process.argv.slice(2);
if (!page) throw new Error('usage: node make_page.mjs <throng_page.wasm> <golden.txt> <page>');
const read = name => readFileSync(new URL(name, import.meta.url), 'utf8');
const lines = readFileSync(golden, 'utf8').trim().split('\n').map(line => {
    const [agents, steps, pairs, hash] = line.split(' ');
    return [Number(agents), Number(steps), Number(pairs), hash];
});
const parts = { SCRIPT: read('page.mjs'), GOLDEN: JSON.stringify(lines),
    WASM: gzipSync(readFileSync(wasm), { level: 9 }).toString('base64') };
const text = read('page.html').replace(/@(SCRIPT|GOLDEN|WASM)@/g, (_, name) => parts[name]);
writeFileSync(page, text);

const bytes = gzipSync(text, { level: 9 }).length;
console.log(`${page}: ${text.length} bytes, ${bytes} gzipped`);
if (bytes > most) throw new Error(`the page may have ${most} bytes, gzipped`);
