// What stands in the agents' world, by its true shape.
import { manyOf } from './asked.mjs';
import { Held } from './held.mjs';
import { arrayOf, parted, pointsIn, questionsOf, shapeOf } from './questions.mjs';

// What obstacles can be, with the words that throng_obstacle_arrays has for each.
const parts = { boxes: ['box', 'boxes', 'boxCount'], orientedBoxes: ['orientedBox', 'turnedBoxes', 'turnedBoxCount'],
    walls: ['wall', 'walls', 'wallCount'], triangles: ['triangle', 'triangles', 'triangleCount'] };

export class Obstacles extends Held {
    constructor(machine, dimension = 2) {
        super(machine);
        machine.begin();
        this.dimension = dimension;
        this.handle = this.hold('throng_obstacles_create', 'throng_obstacles_destroy', dimension);
    }

    /** Replaces all: boxes, orientedBoxes, then walls in the plane or triangles in space, with ids 0, 1, 2 ... */
    set(obstacles) {
        const { machine, dimension } = this;
        machine.begin();
        const [rest, groups] = parted(obstacles, 'groups');
        const arrays = { dimension };
        for (const [key, shapes] of Object.entries(rest)) {
            if (!Object.hasOwn(parts, key)) throw new TypeError(`obstacles have no ${key}`);
            const [kind, field, count] = parts[key];
            [arrays[field], arrays[count]] = arrayOf(machine, shapeOf(kind, dimension)[1], shapes, key);
        }
        if (groups) {
            const count = Object.values(parts).reduce((sum, [, , field]) => sum + (arrays[field] ?? 0), 0);
            if (groups.length !== count) throw machine.refusal('COUNT_MISMATCH', 'arrays.groups');
            arrays.groups = machine.place(groups, 'u32', 'groups');
        }
        machine.call('throng_obstacles_set', this.handle, machine.make('obstacleArrays', arrays), 0);
    }

    insert(id, kind, obstacle, groups = 0xFFFFFFFF) {
        this.#put('throng_obstacles_insert', id, kind, obstacle, groups);
    }

    replace(id, kind, obstacle, groups = 0xFFFFFFFF) {
        this.#put('throng_obstacles_replace', id, kind, obstacle, groups);
    }

    #put(call, id, kind, obstacle, groups) {
        this.machine.begin();
        const [shape, struct] = shapeOf(kind, this.dimension);
        const [address] = arrayOf(this.machine, struct, obstacle, kind);
        this.machine.call(call, this.handle, id, shape, address, groups);
    }

    erase(id) {
        this.machine.begin();
        this.machine.call('throng_obstacles_erase', this.handle, id);
    }

    clear() {
        this.machine.begin();
        this.machine.call('throng_obstacles_clear', this.handle);
    }

    get size() {
        const { machine } = this;
        machine.begin();
        const counts = machine.make('obstacleCounts');
        machine.call('throng_obstacles_count', this.handle, counts);
        return machine.read('obstacleCounts', counts).obstacles;
    }

    /** The nearest obstacle to each point: id, distance, point and normal, an array each. */
    nearest(points, options = {}) {
        const { machine, dimension } = this;
        machine.begin();
        const count = pointsIn(points, dimension, 'points');
        const coordinates = machine.place(points, 'f32', 'points');
        const asked = machine.make('points', { dimension, coordinates, count });
        const search = machine.make('obstacleSearch', options, 'nearest');
        const near = machine.take(32 * count);
        machine.call('throng_obstacles_nearest', this.handle, asked, search, near, count, 0, 0);
        return machine.columns(`obstacleNear${dimension}`, near, count);
    }

    /** The first obstacle that each path or moving shape hits: id, time, point and normal, an array each. */
    first(kind, paths, options = {}) {
        const { machine } = this;
        machine.begin();
        const [questions, count] = questionsOf(machine, this.dimension, kind, paths, options);
        const hits = machine.take(32 * count);
        machine.call('throng_obstacles_first', this.handle, questions, hits, count, 0, 0);
        return machine.columns(`obstacleHit${this.dimension}`, hits, count);
    }

    /** 1 for each segment that no obstacle touches, 0 for the others. */
    sight(segments, options = {}) {
        const { machine } = this;
        machine.begin();
        const [questions, count] = questionsOf(machine, this.dimension, 'segment', segments, options);
        const clear = machine.take(count);
        machine.call('throng_obstacles_sight', this.handle, questions, clear, count, 0, 0);
        return machine.array('u8', clear, count).slice();
    }

    /** All within a ball, by distance. */
    within(ball, options = {}) {
        return this.#many('throng_obstacles_within', 'ball', ball, options, `obstacleNear${this.dimension}`);
    }

    /** All that a path or a moving shape hits, by time. */
    hits(kind, path, options = {}) {
        return this.#many('throng_obstacles_hits', kind, path, options, `obstacleHit${this.dimension}`);
    }

    /** The ids of all that have a point in common with a shape. */
    overlaps(kind, shape, options = {}) {
        return this.#many('throng_obstacles_overlaps', kind, shape, options);
    }

    #many(call, kind, shape, options, struct) {
        const { machine } = this;
        machine.begin();
        const [question] = questionsOf(machine, this.dimension, kind, shape, options);
        const read = struct ? undefined : (space, count) => machine.array('u32', space, count).slice();
        return manyOf(machine, struct, (room, space, total) =>
            machine.call(call, this.handle, question, space, room, total), read, 32);
    }
}
