// A crowd: what it is made with, its own arrays, and edits. Other calls are in calls.mjs.
import { EditKind, Kept } from './abi.mjs';
import { CrowdCalls } from './calls.mjs';
import { agentsOf, parted, three } from './questions.mjs';

const known = 'dimension, lo, hi, cell, keepsCells, periodic, origin, commonHalfExtent, kept, memoryCap';

export function settingsOf(machine, memory, settings) {
    const { dimension = 2, lo, hi, cell, keepsCells, periodic, origin, commonHalfExtent, kept, ...rest } = settings;
    for (const key of Object.keys(rest)) throw new TypeError(`a crowd has no ${key}, but ${known}`);
    const given = (lo || hi ? 1 : 0) + (cell ? 2 : 0) + (keepsCells ? 4 : 0);
    const raw = { dimension, memory, kept, given };
    const axes = dimension === 3 ? 3 : 2; // another dimension is refused by the library, with its sentence
    for (const [key, values] of Object.entries({ lo, hi, cell, origin, commonHalfExtent })) {
        if (values) raw[key] = three(values, axes, key);
    }
    if (periodic) raw.periodic = periodic.reduce((sum, wraps, axis) => sum + (wraps ? 1 << axis : 0), 0);
    return machine.make('crowdSettings', raw, 'crowd');
}

export class Crowd extends CrowdCalls {
    #own = { count: 0 }; // the addresses of its own arrays, as allot() made them

    constructor(machine, settings = {}) {
        super(machine);
        machine.begin();
        const [rest, cap] = parted(settings, 'memoryCap');
        this.dimension = rest.dimension ?? 2;
        const memory = cap === undefined ? undefined
            : this.hold('throng_memory_create', 'throng_memory_destroy', machine.make('memorySettings', { cap }, 'memory'));
        this.handle = this.hold('throng_crowd_create', 'throng_crowd_destroy', settingsOf(machine, memory, rest));
        this.batch = this.hold('throng_batch_create', 'throng_batch_destroy', 0);
    }

    /** Makes zeroed arrays for so many agents in the library's memory: positions, and halfExtents and groups if told. */
    allot(count, { halfExtents = false, groups = false } = {}) {
        if (!Number.isInteger(count) || count < 0) throw new RangeError('allot() takes the number of agents');
        for (const address of [this.#own.positions, this.#own.halfExtents, this.#own.groups]) {
            if (address) this.give(address);
        }
        this.#own = { count: 0 };
        const room = wanted => {
            if (!wanted) return undefined;
            const address = this.keep(4 * wanted * count);
            this.machine.view('u8').fill(0, address, address + 4 * wanted * count);
            return address;
        };
        const positions = room(this.dimension);
        this.#own = { count, positions, halfExtents: room(halfExtents && this.dimension), groups: room(groups && 1) };
    }

    /** The arrays of allot(), to be written where the library reads them. The memory grows now and then, and views from
        before are empty then: so take them anew after each call. */
    get positions() {
        return this.#view('f32', 'positions', this.dimension);
    }

    get halfExtents() {
        return this.#view('f32', 'halfExtents', this.dimension);
    }

    get groups() {
        return this.#view('u32', 'groups', 1);
    }

    #view(kind, name, width) {
        const address = this.#own[name];
        if (!address) throw new Error(`the crowd has no ${name} of its own: allot() makes them`);
        return this.machine.array(kind, address, this.#own.count * width);
    }

    /** Replaces all agents: by those of these arrays, or of the crowd's own. The id of agent i is i. */
    update(positions, options = {}) {
        this.machine.begin();
        if (positions === undefined) {
            const { halfExtents, groups } = this.#own;
            this.#update(this.positions, { ...options, halfExtents: halfExtents && this.halfExtents,
                groups: groups && this.groups });
        } else this.#update(positions, options);
    }

    #update(positions, options) {
        const agents = agentsOf(this.machine, this.dimension, positions, options, 'agents');
        this.machine.call('throng_crowd_update', this.handle, agents, 0);
    }

    insert(id, agent) {
        this.edit([{ ...agent, kind: EditKind.insert, id }]);
    }

    erase(id) {
        this.edit([{ kind: EditKind.erase, id }]);
    }

    move(id, position) {
        this.edit([{ kind: EditKind.move, id, position }]);
    }

    /** Makes all of these edits, or none: kind, id, and position, halfExtent and groups as far as they are needed. */
    edit(edits) {
        const { machine, dimension } = this;
        machine.begin();
        const bytes = 40;
        const address = machine.take(bytes * edits.length);
        machine.view('u8').fill(0, address, address + bytes * edits.length);
        edits.forEach(({ position, halfExtent, ...edit }, i) => {
            // A field that is not there would be zero, and so another agent's name.
            if (edit.id === undefined) throw new TypeError(`edits[${i}] has no id`);
            const kept = (halfExtent ? Kept.halfExtents : 0) + (edit.groups === undefined ? 0 : Kept.groups);
            const values = { ...edit, kept };
            if (position) values.position = three(position, dimension, 'position');
            if (halfExtent) values.halfExtent = three(halfExtent, dimension, 'halfExtent');
            machine.write('edit', address + i * bytes, values, `edits[${i}]`);
        });
        machine.call('throng_crowd_edit', this.handle, address, edits.length, 0);
    }

    get size() {
        return this.counts().agents;
    }

    dispose() {
        this.#own = { count: 0 };
        super.dispose();
    }
}
