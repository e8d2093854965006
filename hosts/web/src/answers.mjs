// What questions return. Those of a whole batch are views of the library's memory, for as long as it keeps the answers.
import { Held } from './held.mjs';
import { filterOf, parted } from './questions.mjs';

/** A list of ids for each question: of(q), or all of them, ids[offsets[q]] ... ids[offsets[q + 1] - 1]. */
class Lists {
    /** The ids of one answer. */
    of(question) {
        const { offsets } = this;
        if (!(question >= 0 && question < this.length)) throw new RangeError(`there is no answer ${question}`);
        return this.ids.subarray(offsets[question], offsets[question + 1]);
    }

    get length() {
        return this.offsets.length - 1;
    }

    *[Symbol.iterator]() {
        const { ids, offsets } = this;
        for (let i = 0; i + 1 < offsets.length; ++i) yield ids.subarray(offsets[i], offsets[i + 1]);
    }
}

class OwnLists extends Lists {
    constructor(offsets, ids) {
        super();
        this.offsets = offsets;
        this.ids = ids;
    }
}

/** The batch's place in time: each of its calls takes the answers of the one before. */
export class Turns {
    #now = 0;

    // An answer holds its crowd by this: a crowd that is collected takes its answers with it.
    constructor(crowd) {
        this.crowd = crowd;
    }

    get now() {
        return this.#now;
    }

    next() {
        ++this.#now;
    }

    check(turn) {
        if (turn !== this.#now) {
            throw new Error('these answers are gone: the next question takes their memory, copy() keeps them');
        }
    }
}

/** Lists that the library holds until the next question to the same crowd. Arrays are views. */
export class Hits extends Lists {
    #machine;
    #turns;
    #turn;
    #at;
    #offsets;

    constructor(machine, turns, address) {
        super();
        this.#machine = machine;
        this.#turns = turns;
        this.#turn = turns.now;
        this.#at = machine.read('hits', address);
    }

    get ids() {
        this.#turns.check(this.#turn);
        return this.#machine.array('u32', this.#at.ids, this.#at.total);
    }

    /** Where each answer begins, and one more: the library counts in 64 bits, and this is a copy in 32. */
    get offsets() {
        this.#turns.check(this.#turn);
        if (!this.#offsets) {
            const wide = this.#machine.array('u32', this.#at.offsets, 2 * (this.#at.count + 1));
            this.#offsets = new Uint32Array(this.#at.count + 1);
            for (let i = 0; i < this.#offsets.length; ++i) this.#offsets[i] = wide[2 * i];
        }
        return this.#offsets;
    }

    copy() {
        return new OwnLists(this.offsets.slice(), this.ids.slice());
    }
}

/** Pairs that the library holds until the next question: first[i] and second[i]. Arrays are views. */
export class Pairs {
    #machine;
    #turns;
    #turn;
    #at;

    constructor(machine, turns, address) {
        this.#machine = machine;
        this.#turns = turns;
        this.#turn = turns.now;
        this.#at = machine.read('pairs', address);
    }

    get length() {
        return this.#at.total;
    }

    get first() {
        this.#turns.check(this.#turn);
        return this.#machine.array('u32', this.#at.first, this.#at.total);
    }

    get second() {
        this.#turns.check(this.#turn);
        return this.#machine.array('u32', this.#at.second, this.#at.total);
    }

    copy() {
        return { length: this.length, first: this.first.slice(), second: this.second.slice() };
    }
}

/** Who asks with a batch. The batch's last answers are gone when a call begins, also if it is refused. */
export class Asking extends Held {
    turns = new Turns(this);

    begin() {
        this.machine.begin();
        this.turns.next();
    }

    /** Begins a call that obstacles may cut: what it takes for that besides, and the options of the others. */
    sight(options) {
        this.begin();
        const [rest, past, looks] = parted(options, 'past', 'looks');
        return [past ? [past.handle, filterOf(this.machine, looks)] : [], rest];
    }

    dispose() {
        this.turns.next();
        super.dispose();
    }
}

/** The nearest: counts, and k places for each, as columns. */
export function nearOf(machine, hits) {
    const { nearest, counts, count, k } = machine.read('nearHits', hits);
    return { k, counts: machine.array('u32', counts, count).slice(), ...machine.columns('near', nearest, k * count) };
}

/** A frame of contacts: of pairs and ended two ids each. */
export function contactsOf(machine, frame) {
    const at = machine.read('contactFrame', frame);
    const copied = (address, count) => machine.array('u32', address, count).slice();
    return { pairs: copied(at.pairs, 2 * at.pairCount), previous: copied(at.previous, at.pairCount),
        began: copied(at.began, at.beganCount), ended: copied(at.ended, 2 * at.endedCount),
        endedPrevious: copied(at.endedPrevious, at.endedCount) };
}

export function costsOf(machine, out) {
    const costs = machine.read('queryCosts', out);
    return { ...costs, path: machine.text(costs.path), reason: machine.text(costs.reason) };
}

/** All of an answer whose length nobody knows before. `ask` writes to so much room, and the true number. */
export function manyOf(machine, bytes, ask, read) {
    let room = 64;
    for (;;) {
        const space = machine.take(bytes * room);
        const total = machine.take(8);
        try {
            ask(room, space, total);
            return read(space, Number(machine.view('u64')[total / 8]));
        } catch (error) {
            if (error.code !== 'NO_ROOM') throw error;
            room = error.index;
        }
    }
}
