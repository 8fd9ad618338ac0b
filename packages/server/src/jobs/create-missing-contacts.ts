import { createMissingContacts } from '../core/contacts/create-missing.ts';
import type { Job } from './scheduler.ts';

export const createMissingContactsJob: Job = {
  name: 'make-owed-contacts',
  everyMs: 10_000,
  async run(ctx) {
    const contacts = await createMissingContacts(ctx);
    if (contacts > 0) ctx.log.info({ contacts }, 'created the first contacts of customers');
  },
};
