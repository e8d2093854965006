// The crowd of the page as a program in WebAssembly: with each set of kernels it comes to what native code comes to.
// THRONG_BOUNCE is the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

if (process.argv[2] === 'run') {
    const [isa, ...numbers] = process.argv.slice(3);
    const wasi = new WASI({ version: 'preview1', args: ['bounce', ...numbers], env: { THRONG_FORCE_ISA: isa } });
    const bytes = readFileSync(process.env.THRONG_BOUNCE);
    const { instance } = await WebAssembly.instantiate(bytes, wasi.getImportObject());
    process.exit(wasi.start(instance));
}

const golden = readFileSync(new URL('golden.txt', import.meta.url), 'utf8');
for (const isa of ['wasm', 'scalar']) {
    test(`positions, velocities and pairs are those of native code, to the bit: ${isa}`, () => {
        const numbers = golden.trim().split('\n').map(line => line.split(' ')[0]);
        const { stdout, status } = spawnSync(process.execPath,
            ['--no-warnings', fileURLToPath(import.meta.url), 'run', isa, ...numbers], { encoding: 'utf8' });
        assert.equal(status, 0);
        assert.equal(stdout, golden);
    });
}
