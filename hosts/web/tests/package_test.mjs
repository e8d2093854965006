// The package as npm makes it, used from a folder. THRONG_PACKAGE is the folder that it is packed from.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const scratch = mkdtempSync(join(tmpdir(), 'throng-package-'));
after(() => rmSync(scratch, { recursive: true }));

// npm asks nobody for anything here: a package without dependencies is packed and installed without a network.
const quiet = ['--silent', '--offline', '--no-audit', '--no-fund', '--cache', join(scratch, 'cache')];
const npm = (folder, ...rest) => execFileSync('npm', [...rest, ...quiet],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

test('npm packs it, and a program in a folder of its own uses it', () => {
    npm(process.env.THRONG_PACKAGE, 'pack', '--pack-destination', scratch);
    const [file] = readdirSync(scratch).filter(name => name.endsWith('.tgz'));
    assert.match(file, /^throng-wasm-\d+\.\d+\.\d+\.tgz$/);

    const user = join(scratch, 'user');
    mkdirSync(user);
    writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
    npm(user, 'install', join('..', file));
    const installed = readdirSync(join(user, 'node_modules', 'throng-wasm')).sort();
    assert.deepEqual(installed,
        ['LICENSE', 'README.md', 'bench.mjs', 'package.json', 'throng.d.mts', 'throng.mjs', 'throng.wasm']);
    copyFileSync(fileURLToPath(new URL('example.mjs', import.meta.url)), join(user, 'example.mjs'));
    const said = execFileSync(process.execPath, ['example.mjs'], { cwd: user, encoding: 'utf8' });
    assert.equal(said, '2 are near: 0,1\n3 of 3 have a neighbour\nquestions.shapes[0] is negative\n');

    const bench = join(user, 'node_modules', 'throng-wasm', 'bench.mjs');
    assert.match(execFileSync(process.execPath, [bench, '2000'], { encoding: 'utf8' }),
        /^2000 agents, [1-9]\d* pairs, wasm, \d+ MiB\nupdate: [\d.]+ ms\n/);
});
