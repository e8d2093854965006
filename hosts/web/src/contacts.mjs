// Pairs over time: which begin, which last and which end, from one frame to the next.
import { Held } from './held.mjs';

export class Contacts extends Held {
    constructor(machine) {
        super(machine);
        machine.begin();
        this.handle = this.hold('throng_contacts_create', 'throng_contacts_destroy', 0);
    }

    /** The next frame: pairs and ended, two ids each, and as in throng.h previous, began and endedPrevious. */
    update(crowd, pairing = {}) {
        const { machine } = this;
        machine.begin();
        const frame = machine.make('contactFrame');
        const pairs = machine.make('pairing', pairing, 'contacts');
        machine.call('throng_contacts_update', this.handle, crowd.handle, pairs, frame);
        const at = machine.read('contactFrame', frame);
        const copied = (address, count) => machine.array('u32', address, count).slice();
        return { pairs: copied(at.pairs, 2 * at.pairCount), previous: copied(at.previous, at.pairCount),
            began: copied(at.began, at.beganCount), ended: copied(at.ended, 2 * at.endedCount),
            endedPrevious: copied(at.endedPrevious, at.endedCount) };
    }

    /** Forgets the last frame. */
    clear() {
        this.machine.begin();
        this.machine.call('throng_contacts_clear', this.handle);
    }
}
