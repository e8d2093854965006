// A crowd: agents and statics, changed here and asked in asked.mjs.
import { EditKind, Kept } from './abi.mjs';
import { Asked } from './asked.mjs';
import { agentsOf, parted, pointsIn, three } from './questions.mjs';

const known = 'dimension, lo, hi, cell, periodic, origin, commonHalfExtent, kept, memoryCap';

function settingsOf(machine, memory, { dimension = 2, lo, hi, cell, periodic, origin, commonHalfExtent, kept, ...rest }) {
    for (const key of Object.keys(rest)) throw new TypeError(`a crowd has no ${key}, but ${known}`);
    const settings = { dimension, memory, kept, given: (lo || hi ? 1 : 0) + (cell ? 2 : 0) };
    const axes = dimension === 3 ? 3 : 2; // another dimension is refused by the library, with its sentence
    for (const [key, values] of Object.entries({ lo, hi, cell, origin, commonHalfExtent })) {
        if (values) settings[key] = three(values, axes, key);
    }
    if (periodic) settings.periodic = periodic.reduce((sum, wraps, axis) => sum + (wraps ? 1 << axis : 0), 0);
    return machine.make('crowdSettings', settings, 'crowd');
}

export class Crowd extends Asked {
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

    /** Replaces all statics; static i is firstStatic + i in answers. */
    setStatics(positions, options = {}) {
        this.machine.begin();
        const statics = agentsOf(this.machine, this.dimension, positions, options, 'statics');
        this.machine.call('throng_crowd_set_statics', this.handle, statics, 0);
    }

    /** Takes memory now for updates of so many agents. */
    reserve(agents) {
        this.machine.begin();
        this.machine.call('throng_crowd_reserve', this.handle, agents, 0);
    }

    clear() {
        this.machine.begin();
        this.machine.call('throng_crowd_clear', this.handle);
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

    /** Adds agents to which the crowd gives names: three numbers each, which remove(), moveAll() and resolve() take. */
    add(positions, options = {}) {
        const { machine } = this;
        machine.begin();
        const agents = agentsOf(machine, this.dimension, positions, options, 'agents');
        const { count } = machine.read('agents', agents);
        const handles = machine.take(12 * count);
        machine.call('throng_crowd_add', this.handle, agents, handles, count, 0);
        return machine.array('u32', handles, 3 * count).slice();
    }

    remove(handles) {
        this.machine.begin();
        this.machine.call('throng_crowd_remove', this.handle, ...this.#handles(handles), 0);
    }

    /** Moves agents with these names. */
    moveAll(handles, positions) {
        const { machine } = this;
        machine.begin();
        const agents = agentsOf(machine, this.dimension, positions, {}, 'agents');
        const [address, count] = this.#handles(handles);
        machine.call('throng_crowd_move', this.handle, address, count, agents, 0);
    }

    /** The ids of agents with these names. */
    resolve(handles) {
        const { machine } = this;
        machine.begin();
        const [address, count] = this.#handles(handles);
        const ids = machine.take(4 * count);
        machine.call('throng_crowd_resolve', this.handle, address, count, ids, count);
        return machine.array('u32', ids, count).slice();
    }

    #handles(handles) {
        const count = pointsIn(handles, 3, 'handles');
        return [this.machine.place(handles, 'u32', 'handles'), count];
    }

    /** How many agents, giants and statics there are, and what they take. */
    counts() {
        const { machine } = this;
        machine.begin();
        const counts = machine.make('crowdCounts');
        machine.call('throng_crowd_count', this.handle, counts);
        return machine.read('crowdCounts', counts);
    }

    get size() {
        return this.counts().agents;
    }

    /** The ids of all agents in the order in which they answer. */
    order() {
        const { machine } = this;
        const count = this.size;
        const ids = machine.take(4 * count);
        machine.call('throng_crowd_order', this.handle, ids, count);
        return machine.array('u32', ids, count).slice();
    }

    dispose() {
        this.#own = { count: 0 };
        super.dispose();
    }
}
