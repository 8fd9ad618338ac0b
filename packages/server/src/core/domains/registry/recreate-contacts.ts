import { everyTenant } from '@namehold/base';
import type { Run } from '../../operations/run.ts';
import { readDomainWithRules } from '../domain.sql.ts';
import { ensureContacts, hideBy } from './ensure-contacts.ts';
import { contactOfHandle, forgetContact } from './registry-contact.sql.ts';

/**
 * RFC 5730 3, 2303: something that a command names does not exist. A contact that was there once and is gone at the registry is created again, under
 * its handle. True: at least one was.
 */
export async function recreateMissingContacts(run: Run, handles: readonly string[]): Promise<boolean> {
  const { house, registry, operation } = run;
  let isRepaired = false;
  for (const handle of new Set(handles)) {
    const shown = await registry.contactInfo(handle);
    if (shown.kind !== 'done' || shown.data !== null) continue;
    const contact = await contactOfHandle(house.db.as(everyTenant), registry.id, handle);
    if (!contact || operation.domain_id === null) continue;
    await house.db.transaction(everyTenant, (tx) => forgetContact(tx, registry.id, handle));
    const { rules } = await readDomainWithRules(house.db.as(everyTenant), operation.domain_id);
    const made = await ensureContacts(run, [contact.contact_id], hideBy(rules, contact.shown_as !== 'plain'));
    isRepaired ||= made.kind === 'ready';
  }
  return isRepaired;
}
