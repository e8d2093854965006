// Starts the library, from its file or its bytes.
import { abi, structs } from './abi.mjs';
import { Contacts } from './contacts.mjs';
import { Crowd } from './crowd.mjs';
import { Lasting } from './lasting.mjs';
import { Machine } from './machine.mjs';
import { Obstacles } from './obstacles.mjs';

// The interface of WASI, of which the library needs next to nothing: it opens no file, and its environment has at most
// the instruction set that it is told to use.
function systemOf(memory, isa) {
    const variable = isa ? new TextEncoder().encode(`THRONG_FORCE_ISA=${isa}\0`) : new Uint8Array();
    const calls = {
        environ_sizes_get(count, bytes) {
            const view = new DataView(memory());
            view.setUint32(count, isa ? 1 : 0, true);
            view.setUint32(bytes, variable.length, true);
            return 0;
        },
        environ_get(places, text) {
            if (isa) new DataView(memory()).setUint32(places, text, true);
            new Uint8Array(memory()).set(variable, text);
            return 0;
        },
        clock_time_get(clock, precision, out) {
            new DataView(memory()).setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
        },
        proc_exit(code) {
            throw new Error(`the library has ended with ${code}`);
        },
    };
    const unsupported = () => 8; // not a file that is open
    return new Proxy(calls, { get: (known, name) => known[name] ?? unsupported });
}

async function moduleOf(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    if (typeof Response === 'undefined' || !(source instanceof Response)) {
        const url = new URL(source, import.meta.url);
        // Node's fetch() has no files.
        if (url.protocol === 'file:' && typeof process !== 'undefined' && process.versions?.node) {
            const { readFile } = await import('node:fs/promises');
            return WebAssembly.compile(await readFile(url));
        }
        source = await fetch(url);
    }
    if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
    // Not every server says that it is WebAssembly, which compiling as it comes would demand.
    return WebAssembly.compile(await source.arrayBuffer());
}

/** The library in a memory of its own. */
class Throng {
    #machine;

    constructor(machine) {
        this.#machine = machine;
        machine.call('throng_check_abi', abi);
        this.version = machine.text(machine.call('throng_version'));
        this.isa = machine.text(machine.call('throng_isa'));
    }

    crowd(settings) {
        return new Crowd(this.#machine, settings);
    }

    obstacles(dimension) {
        return new Obstacles(this.#machine, dimension);
    }

    contacts() {
        return new Contacts(this.#machine);
    }

    lasting(settings) {
        return new Lasting(this.#machine, settings);
    }

    /** The convex region with these corners, x and y of each, in order. */
    polygon(corners) {
        return this.#convex('convex2', corners, corners.length / 2);
    }

    /** The frustum with these corners, x, y and z of each: four around the near side, and those of the far side. */
    frustum(corners) {
        if (corners.length !== 24) throw new RangeError('a frustum has 8 corners, of 3 numbers each');
        return this.#convex('convex3', corners);
    }

    #convex(struct, corners, ...count) {
        const machine = this.#machine;
        machine.begin();
        const out = machine.take(structs[struct].size);
        const place = machine.place(corners, 'f32', 'corners');
        machine.call(count.length ? 'throng_polygon' : 'throng_frustum', place, ...count, out);
        const { sides, count: filled, bounds } = machine.read(struct, out);
        return { sides: sides.slice(0, filled), bounds };
    }

    /** The bytes of its memory, which grows and never shrinks. */
    get memoryBytes() {
        return this.#machine.view('u8').length;
    }

    /** Functions of throng.h by their names, with numbers and addresses, for calls that have no other form here. */
    get machine() {
        return this.#machine;
    }
}

/**
 * Loads the library: throng.wasm beside this module, or what is given instead, an address, a Response, its bytes, or a
 * compiled module. With `isa` it uses that instruction set: 'scalar' or 'wasm'.
 */
export async function load(source = new URL('throng.wasm', import.meta.url), { isa } = {}) {
    let instance;
    const system = systemOf(() => instance.exports.memory.buffer, isa);
    instance = await WebAssembly.instantiate(await moduleOf(source), { wasi_snapshot_preview1: system });
    instance.exports._initialize();
    return new Throng(new Machine(instance.exports));
}
