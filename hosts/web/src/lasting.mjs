// Neighbour lists that last: made with a skin around the radius, and kept while agents move little.
import { Hits, Turns } from './answers.mjs';
import { Held } from './held.mjs';
import { agentsOf } from './questions.mjs';

export class Lasting extends Held {
    #turns = new Turns(this);
    #order;

    constructor(machine, settings) {
        super(machine);
        machine.begin();
        this.handle = this.hold('throng_lasting_create', 'throng_lasting_destroy',
            machine.make('lastingSettings', settings, 'lasting'), 0);
    }

    /** The next frame: keeps the lists if they hold for these agents, else updates the crowd and makes new ones. Returns
        how often lists were `made`, how many frames have kept these, and the farthest that any agent has `moved` since. */
    update(crowd, positions, options = {}) {
        const { machine } = this;
        machine.begin();
        this.#turns.next();
        const frame = machine.make('lastingFrame');
        const agents = agentsOf(machine, crowd.dimension, positions, options, 'agents');
        this.dimension = crowd.dimension;
        machine.call('throng_lasting_update', this.handle, crowd.handle, agents, frame);
        const { order, count, made, lasted, moved } = machine.read('lastingFrame', frame);
        if (lasted === 0) this.#order = machine.array('u32', order, count).slice();
        return { made, lasted, moved };
    }

    /** Whose lists these are: list k is that of order[k]. */
    get order() {
        return this.#order;
    }

    /** The neighbours now of agents at these positions, which must be near enough to those of the lists. */
    neighbours(positions, options = {}) {
        const { machine } = this;
        machine.begin();
        this.#turns.next();
        const hits = machine.make('hits');
        const agents = agentsOf(machine, this.dimension ?? 2, positions, options, 'agents');
        machine.call('throng_lasting_neighbours', this.handle, agents, hits);
        return new Hits(machine, this.#turns, hits);
    }

    dispose() {
        this.#turns.next();
        super.dispose();
    }
}
