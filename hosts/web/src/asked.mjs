// All that a crowd is asked. Questions are one shape, a list of shapes, or floats as structures of throng.h hold them.
import { Hits, Pairs, Turns } from './answers.mjs';
import { Held } from './held.mjs';
import { filterOf, parted, pointsIn, questionsOf } from './questions.mjs';

export class Asked extends Held {
    #turns = new Turns(this);

    /** The agents that each shape finds; with `past` only those that these obstacles do not hide. */
    query(kind, shapes, options = {}) {
        return this.#lists(options, rest => questionsOf(this.machine, this.dimension, kind, shapes, rest)[0],
            'throng_query');
    }

    /** The agents within `radius` of each agent. */
    neighbours(options = {}) {
        return this.#lists(options, rest => this.machine.make('neighbourhood', rest, 'neighbours'),
            'throng_neighbours');
    }

    #lists(options, asked, call) {
        const { machine } = this;
        const [obstacles, rest] = this.#begin(options);
        const question = asked(rest);
        const hits = machine.make('hits');
        machine.call(obstacles.length ? `${call}_in_sight` : call, this.batch, this.handle, ...obstacles, question,
            hits);
        return new Hits(machine, this.#turns, hits);
    }

    /** How many agents each shape finds. */
    count(kind, shapes, options = {}) {
        const { machine } = this;
        const [obstacles, rest] = this.#begin(options);
        const [questions, count] = questionsOf(machine, this.dimension, kind, shapes, rest);
        const counts = machine.take(4 * count);
        machine.call(obstacles.length ? 'throng_count_in_sight' : 'throng_count', this.batch, this.handle, ...obstacles,
            questions, counts, count, 0);
        return this.#copied('u32', counts, count);
    }

    countNeighbours(options = {}) {
        const { machine } = this;
        const [obstacles, rest] = this.#begin(options);
        const question = machine.make('neighbourhood', rest, 'neighbours');
        const count = machine.call('throng_answers_bound', this.handle, rest.order ?? 0);
        const counts = machine.take(4 * count);
        machine.call(obstacles.length ? 'throng_count_neighbours_in_sight' : 'throng_count_neighbours', this.batch,
            this.handle, ...obstacles, question, counts, count, 0);
        return this.#copied('u32', counts, count);
    }

    /** 1 for each shape that finds an agent, 0 for the others. */
    any(kind, shapes, options = {}) {
        const { machine } = this;
        this.#begin({});
        const [questions, count] = questionsOf(machine, this.dimension, kind, shapes, options);
        const found = machine.take(4 * count);
        machine.call('throng_any', this.batch, this.handle, questions, found, count, 0);
        return this.#copied('u32', found, count);
    }

    /** The first hit of each segment, ray or capsule: `time` and `id`, an array each; noId where there is none. */
    first(kind, paths, options = {}) {
        const { machine } = this;
        this.#begin({});
        const [questions, count] = questionsOf(machine, this.dimension, kind, paths, options);
        const meetings = machine.take(8 * count);
        machine.call('throng_first', this.batch, this.handle, questions, meetings, count, 0);
        return machine.columns('meeting', meetings, count);
    }

    /** All hits of one path, by time: `time` and `id`, an array each. */
    meetings(kind, path, options = {}) {
        const { machine } = this;
        machine.begin();
        const [question] = questionsOf(machine, this.dimension, kind, path, options);
        return manyOf(machine, 'meeting', (room, space, total) =>
            machine.call('throng_meetings_one', this.handle, question, space, room, total));
    }

    /** The k nearest to each point: `counts`, and k places for each, `distance2` and `id`, an array each. */
    nearest(points, options = {}) {
        const { machine } = this;
        this.#begin({});
        const count = pointsIn(points, this.dimension, 'points');
        const coordinates = machine.place(points, 'f32', 'points');
        const asked = machine.make('points', { dimension: this.dimension, coordinates, count });
        return this.#near(options, (nearest, hits) =>
            machine.call('throng_find_nearest', this.batch, this.handle, asked, nearest, hits));
    }

    /** The k nearest to each agent. */
    nearestNeighbours(options = {}) {
        this.#begin({});
        return this.#near(options, (nearest, hits) =>
            this.machine.call('throng_nearest_neighbours', this.batch, this.handle, nearest, hits));
    }

    #near(options, ask) {
        const { machine } = this;
        const hits = machine.make('nearHits');
        ask(machine.make('nearest', options), hits);
        const { nearest, counts, count, k } = machine.read('nearHits', hits);
        return { k, counts: machine.array('u32', counts, count).slice(),
            ...machine.columns('near', nearest, k * count) };
    }

    /** All pairs that overlap, or that are at most `within` apart. */
    pairs(options = {}) {
        const { machine } = this;
        this.#begin({});
        const pairing = machine.make('pairing', options, 'pairs');
        const pairs = machine.make('pairs');
        machine.call('throng_find_pairs', this.batch, this.handle, pairing, pairs);
        return new Pairs(machine, this.#turns, pairs);
    }

    countPairs(options = {}) {
        const { machine } = this;
        this.#begin({});
        const pairing = machine.make('pairing', options, 'pairs');
        const total = machine.take(8);
        machine.call('throng_count_pairs', this.batch, this.handle, pairing, total);
        return Number(machine.view('u64')[total / 8]);
    }

    /** What one question costs, and by which way it is answered. */
    explain(kind, shape, options = {}) {
        const { machine } = this;
        machine.begin();
        const [question] = questionsOf(machine, this.dimension, kind, shape, options);
        const out = machine.make('queryCosts');
        machine.call('throng_explain', this.handle, question, out);
        const costs = machine.read('queryCosts', out);
        return { ...costs, path: machine.text(costs.path), reason: machine.text(costs.reason) };
    }

    dispose() {
        this.#turns.next();
        super.dispose();
    }

    // What calls for sight take besides, and the options of the others. The batch's last answers are gone from here on,
    // also if the call is refused.
    #begin(options) {
        this.machine.begin();
        this.#turns.next();
        const [rest, past, looks] = parted(options, 'past', 'looks');
        return [past ? [past.handle, filterOf(this.machine, looks)] : [], rest];
    }

    #copied(kind, address, count) {
        return this.machine.array(kind, address, count).slice();
    }
}

/** All of an answer whose length nobody knows before: as columns. `ask` writes to so much room, and the true number. */
export function manyOf(machine, struct, ask, read = (space, count) => machine.columns(struct, space, count),
    bytes = 8) {
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
