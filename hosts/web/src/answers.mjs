// What questions of a whole batch return: views of the library's memory, for as long as it keeps the answers.

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
