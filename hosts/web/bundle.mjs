// Makes the package, in a folder: throng.mjs, one module of all files in src/, beside throng.wasm and what npm wants.
//
// usage: node bundle.mjs <throng.wasm> <folder>
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
// Each after those that it imports.
const modules = ['abi', 'machine', 'held', 'questions', 'answers', 'calls', 'crowd', 'obstacles', 'contacts', 'lasting',
    'load'];
const exported = ['load', 'ThrongError', 'Sets', 'PairSets', 'Body', 'Order', 'Kept', 'EditKind', 'noId', 'allGroups',
    'firstStatic', 'version'];

const [wasm, folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: node bundle.mjs <throng.wasm> <folder>');
const bodies = modules.map(name => readFileSync(join(here, 'src', `${name}.mjs`), 'utf8')
    .replace(/^import [^;]*? from '\.\/\w+\.mjs';\n/gm, '').replace(/^export (?=async |class |const |function )/gm, ''));
const license = join(here, '..', '..', 'LICENSE');
const head = `/* Throng, in one module: throng.d.mts says what it has. ${readFileSync(license, 'utf8').trim()} */\n`;
const version = /const version = '(.*)';/.exec(bodies[0])[1];

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'throng.mjs'), `${head}${bodies.join('')}\nexport { ${exported.join(', ')} };\n`);
writeFileSync(join(folder, 'package.json'),
    readFileSync(join(here, 'package.json.in'), 'utf8').replace('@VERSION@', version));
writeFileSync(join(folder, 'throng.d.mts'),
    ['throng.d.mts', 'src/calls.d.mts'].map(name => readFileSync(join(here, name), 'utf8')).join('\n'));
for (const name of ['README.md', 'bench.mjs']) copyFileSync(join(here, name), join(folder, name));
copyFileSync(license, join(folder, 'LICENSE'));
copyFileSync(wasm, join(folder, 'throng.wasm'));
