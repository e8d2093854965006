// What stands in the agents' world, by its true shape. Other calls are in calls.mjs.
import { ObstacleCalls } from './calls.mjs';
import { settingsOf } from './crowd.mjs';
import { arrayOf, parted, shapeOf } from './questions.mjs';

// What obstacles can be, with the words that throng_obstacle_arrays has for each.
const parts = { boxes: ['box', 'boxes', 'boxCount'], orientedBoxes: ['orientedBox', 'turnedBoxes', 'turnedBoxCount'],
    walls: ['wall', 'walls', 'wallCount'], triangles: ['triangle', 'triangles', 'triangleCount'] };

export class Obstacles extends ObstacleCalls {
    constructor(machine, dimension = 2) {
        super(machine);
        machine.begin();
        this.dimension = dimension;
        this.handle = this.hold('throng_obstacles_create', 'throng_obstacles_destroy', dimension);
    }

    /** Puts the obstacles in the world of a crowd with these settings, of which lo, hi and periodic count: where that wraps
        around, they are there at all whole periods. Forgets all obstacles. */
    configure(settings) {
        const { machine, dimension } = this;
        machine.begin();
        const raw = settingsOf(machine, undefined, { dimension, ...settings });
        machine.call('throng_obstacles_configure', this.handle, raw);
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

    get size() {
        const { machine } = this;
        machine.begin();
        const counts = machine.make('obstacleCounts');
        machine.call('throng_obstacles_count', this.handle, counts);
        return machine.read('obstacleCounts', counts).obstacles;
    }
}
