// Objects of the library that one of JavaScript holds, and that end with it.

// Destroys what is left of objects that were collected without dispose(). It must not hold the object itself.
const collected = new FinalizationRegistry(remains => remains.end());

class Remains {
    constructor(machine) {
        this.machine = machine;
        this.ends = []; // what is destroyed, the last first: [function, handle or address]
    }

    end() {
        for (const [name, handle] of this.ends.splice(0).reverse()) {
            if (name === 'free') this.machine.free(handle);
            else this.machine.call(name, handle);
        }
    }
}

export class Held {
    #remains;

    constructor(machine) {
        this.machine = machine;
        this.#remains = new Remains(machine);
        collected.register(this, this.#remains, this.#remains);
    }

    /** Calls a function that makes an object, with these arguments before the place of its handle. */
    hold(make, destroy, ...values) {
        const out = this.machine.take(4);
        this.machine.call(make, ...values, out);
        const handle = this.machine.view('u32')[out / 4];
        this.#remains.ends.push([destroy, handle]);
        return handle;
    }

    /** Memory that ends with the object, or before it with give(). */
    keep(bytes) {
        const address = this.machine.allot(bytes);
        this.#remains.ends.push(['free', address]);
        return address;
    }

    give(address) {
        const { ends } = this.#remains;
        const place = ends.findIndex(([name, handle]) => name === 'free' && handle === address);
        if (place >= 0) {
            ends.splice(place, 1);
            this.machine.free(address);
        }
    }

    /** Gives its memory back now instead of when it is collected. Every later call is refused, but for this one. */
    dispose() {
        collected.unregister(this.#remains);
        this.#remains.end();
    }
}
if (Symbol.dispose) Held.prototype[Symbol.dispose] = Held.prototype.dispose;
