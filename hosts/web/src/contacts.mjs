// Pairs over time: which begin, which last and which end, from one frame to the next. Its calls are in calls.mjs.
import { ContactCalls } from './calls.mjs';

export class Contacts extends ContactCalls {
    constructor(machine) {
        super(machine);
        machine.begin();
        this.handle = this.hold('throng_contacts_create', 'throng_contacts_destroy', 0);
    }
}
