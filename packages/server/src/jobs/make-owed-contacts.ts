import { makeOwedContacts } from '../core/contacts/make-owed.ts';
import type { Job } from './clockwork.ts';

export const makeOwedContactsJob: Job = {
  name: 'make-owed-contacts',
  everyMs: 10_000,
  async run(house) {
    const contacts = await makeOwedContacts(house);
    if (contacts > 0) house.log.info({ contacts }, 'customers got their first contact');
  },
};
