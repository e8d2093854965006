// The library as WebAssembly has it, one memory and functions of numbers; and what lies between that and JavaScript.
import { codes, functions, structs } from './abi.mjs';

/** A refusal of the library, with its sentence: its cause, such as 'NOT_FINITE', what was wrong, and which element. */
export class ThrongError extends Error {
    constructor(sentence, code, argument, index) {
        super(sentence);
        this.name = 'ThrongError';
        this.code = code;
        this.argument = argument;
        this.index = index;
    }
}

const kinds = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u32: Uint32Array, u64: BigUint64Array,
    u8: Uint8Array, i8: Int8Array };
const ranges = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1], u8: [0, 255] };
const named = /(^|\.)(id|without)$/; // fields with ids, of which true and false are none

/** A number as fields of this kind hold it. What would be cut or turned into another number is refused; where it may be
    a flag, true and false are 1 and 0. */
function numberOf(kind, value, name, flag = false) {
    if (typeof value === 'boolean' && kind === 'u32' && flag) return Number(value);
    if (kind === 'u64') {
        const exact = typeof value === 'bigint' || Number.isSafeInteger(value);
        if (!exact || BigInt(value) !== BigInt.asUintN(64, BigInt(value))) {
            throw new RangeError(`${name} must be a whole number below 2^64, as a BigInt from 2^53 on`);
        }
        return BigInt(value);
    }
    if (typeof value !== 'number') throw new TypeError(`${name} must be a number`);
    const range = ranges[kind];
    if (range && !(Number.isInteger(value) && value >= range[0] && value <= range[1])) {
        throw new RangeError(`${name} must be a whole number from ${range[0]} to ${range[1]}`);
    }
    return value;
}

export class Machine {
    #views = {};
    #grown = new WeakSet(); // buffers of the memory before it grew: views of them are empty
    #block = { address: 0, bytes: 0 }; // for what is passed to one call, from #used on
    #used = 0;
    #more = []; // further blocks, where one was too small
    #status;

    constructor(exports) {
        this.exports = exports;
        this.#status = this.allot(structs.status.size);
    }

    /** All of the memory as numbers of one kind. It must be asked for anew after each call, which may let it grow. */
    view(kind) {
        const { buffer } = this.exports.memory;
        let view = this.#views[kind];
        if (!view || view.buffer !== buffer) {
            if (view) this.#grown.add(view.buffer);
            view = this.#views[kind] = new kinds[kind](buffer);
        }
        return view;
    }

    /** A part of the memory as an array, which is empty once the memory has grown. */
    array(kind, address, length) {
        return new kinds[kind](this.view(kind).buffer, address, length);
    }

    allot(bytes) {
        // More than 32 bits would be cut.
        const address = bytes <= ranges.u32[1] ? this.exports.malloc(Math.max(bytes, 1)) >>> 0 : 0;
        if (!address) throw new ThrongError('memory has run out', 'OUT_OF_MEMORY', '', 0);
        return address;
    }

    free(address) {
        this.exports.free(address);
    }

    /** Forgets what was passed to the last call. */
    begin() {
        if (this.#more.length) {
            // All of it fits into one block the next time.
            const bytes = this.#more.reduce((sum, block) => sum + block.bytes, this.#block.bytes);
            for (const { address } of [...this.#more, this.#block]) this.free(address);
            this.#more = [];
            this.#block = { address: 0, bytes: 0 };
            this.#block = { address: this.allot(bytes), bytes };
        }
        this.#used = 0;
    }

    /** Room for something that is passed to the next call. */
    take(bytes) {
        const begin = this.#used;
        const end = begin + Math.ceil(bytes / 16) * 16;
        if (end <= this.#block.bytes) {
            this.#used = end;
            return this.#block.address + begin;
        }
        const block = { address: 0, bytes: Math.max(end - begin, 65536) };
        block.address = this.allot(block.bytes);
        if (this.#block.bytes) this.#more.push(block);
        else {
            this.#block = block;
            this.#used = end;
        }
        return block.address;
    }

    /** The address of these numbers: copied, unless they lie in the memory already. */
    place(values, kind, name) {
        const own = this.view(kind);
        if (ArrayBuffer.isView(values)) {
            if (this.#grown.has(values.buffer)) {
                throw new TypeError(`${name} is a view of memory that has grown since: take it anew`);
            }
            if (values instanceof kinds[kind] && values.buffer === own.buffer) return values.byteOffset;
        }
        if (typeof values !== 'object' || typeof values?.length !== 'number') {
            throw new TypeError(`${name} must be an array of numbers`);
        }
        if (!(values instanceof kinds[kind]) && ranges[kind]) {
            for (let i = 0; i < values.length; ++i) numberOf(kind, values[i], `${name}[${i}]`);
        } else if (kind === 'u64') {
            values = Array.from(values, (value, i) => numberOf(kind, value, `${name}[${i}]`));
        }
        const address = this.take(values.length * own.BYTES_PER_ELEMENT);
        this.view(kind).set(values, address / own.BYTES_PER_ELEMENT);
        return address;
    }

    /** The address of a structure with its defaults and these values. */
    make(name, values = {}, called = name) {
        const { size, fields, defaults } = structs[name];
        const address = this.take(size);
        this.view('u8').fill(0, address, address + size);
        if (fields.structSize) this.view('u32')[address / 4] = size;
        if (defaults) this.write(name, address, defaults, called);
        this.write(name, address, values, called);
        return address;
    }

    /** Sets fields of a structure. */
    write(name, address, values, called = name) {
        if (typeof values !== 'object' || values === null) throw new TypeError(`${called} must be an object`);
        for (const [key, value] of Object.entries(values)) {
            const field = structs[name].fields[key];
            if (!field || key === 'structSize') throw new TypeError(`${called} has no ${key}`);
            if (value !== undefined) this.#set(address + field[0], field[1], field[2], value, `${called}.${key}`);
        }
    }

    #set(address, kind, count, value, name) {
        if (structs[kind]) {
            const { size, fields } = structs[kind];
            const own = Object.keys(fields);
            const parts = count === 1 ? [value] : value;
            if (!Array.isArray(parts) || parts.length > count) throw new TypeError(`${name} must be ${count} at most`);
            parts.forEach((part, i) => {
                // Defaults are lists of all numbers of a structure.
                const values = Array.isArray(part) ? Object.fromEntries(part.map((each, j) => [own[j], each])) : part;
                this.write(kind, address + i * size, values, name);
            });
            return;
        }
        const view = this.view(kind);
        const place = address / view.BYTES_PER_ELEMENT;
        if (count === 1) {
            view[place] = numberOf(kind, value, name, !named.test(name));
            return;
        }
        const numbers = Array.isArray(value) ? value.flatMap(each => (ArrayBuffer.isView(each) ? [...each] : each))
            : value;
        if (numbers?.length !== count) throw new TypeError(`${name} must be ${count} numbers`);
        for (let i = 0; i < count; ++i) view[place + i] = numberOf(kind, numbers[i], name);
    }

    /** A structure as an object. */
    read(name, address) {
        const object = {};
        for (const [key, [place, kind, count]] of Object.entries(structs[name].fields)) {
            if (key === 'structSize' || key.startsWith('reserved')) continue;
            object[key] = this.#get(address + place, kind, count);
        }
        return object;
    }

    #get(address, kind, count) {
        if (structs[kind]) {
            const { size } = structs[kind];
            const parts = Array.from({ length: count }, (_, i) => this.read(kind, address + i * size));
            return count === 1 ? parts[0] : parts;
        }
        const view = this.view(kind);
        const place = address / view.BYTES_PER_ELEMENT;
        const numbers = Array.from(view.subarray(place, place + count), Number);
        return count === 1 ? numbers[0] : numbers;
    }

    /** Structures one behind another, as an array for each field. */
    columns(name, address, count) {
        const { size, fields } = structs[name];
        const columns = {};
        for (const [key, [place, kind, width]] of Object.entries(fields)) {
            const view = this.view(kind);
            const stride = size / view.BYTES_PER_ELEMENT;
            const column = columns[key] = new kinds[kind](count * width);
            let from = (address + place) / view.BYTES_PER_ELEMENT;
            for (let to = 0; to < column.length; from += stride) {
                for (let i = 0; i < width; ++i) column[to++] = view[from + i];
            }
        }
        return columns;
    }

    text(address) {
        const bytes = this.view('u8');
        // A decoder takes no view of memory that other threads might share, so it gets a copy.
        return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
    }

    /** Calls a function of throng.h; what it refuses is thrown. */
    call(name, ...given) {
        const [returned, taken] = functions[name];
        const values = [];
        for (let i = 0; i < taken.length; ++i) {
            // WebAssembly would cut other numbers, and take what is missing for zero.
            values.push(numberOf(taken[i], given[i], `each argument of ${name}`));
        }
        if (returned !== 'status') {
            const result = this.exports[name](...values);
            return returned === 'u64' ? Number(BigInt.asUintN(64, result)) : result >>> 0;
        }
        this.exports[name](this.#status, ...values);
        if (this.view('i32')[this.#status / 4] !== 0) throw this.#refusal(this.#status);
        return undefined;
    }

    /** The error for what the module refuses itself, with the sentence that the library has for it. */
    refusal(cause, argument) {
        const bytes = new TextEncoder().encode(`${argument}\0`);
        const text = this.place(bytes, 'u8', 'argument');
        const code = Number(Object.keys(codes).find(number => codes[number] === cause));
        return this.#refusal(this.make('status', { code, argument: text }));
    }

    #refusal(status) {
        const { code, argument, index } = this.read('status', status);
        const length = this.exports.throng_status_text(status, 0, 0);
        const text = this.take(length + 1);
        this.exports.throng_status_text(status, text, length + 1);
        return new ThrongError(this.text(text), codes[code] ?? String(code), this.text(argument), index);
    }
}
