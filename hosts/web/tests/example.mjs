import { load } from 'throng-wasm';

const throng = await load();
const crowd = throng.crowd(); // in the plane; { dimension: 3 } is in space

crowd.update([0, 0, 1, 1, 1.5, 1]); // x and y of each agent; a Float32Array is copied as it is
const hits = crowd.query('ball', { centre: [0, 0], radius: 1.5 });
console.log(`${hits.ids.length} are near: ${hits.of(0)}`);

// Every frame: write where the library reads, and ask for all agents at once.
crowd.allot(3);
crowd.positions.set([0, 0, 1, 0, 2, 0]);
crowd.update();
const counts = crowd.countNeighbours({ radius: 1 });
console.log(`${counts.filter(count => count > 0).length} of ${counts.length} have a neighbour`);

try {
    crowd.query('ball', { centre: [0, 0], radius: -1 });
} catch (error) {
    console.log(error.message); // and error.code, 'NEGATIVE'
}
