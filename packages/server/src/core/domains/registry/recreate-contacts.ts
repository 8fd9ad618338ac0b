import { allTenants } from '@namehold/postgres';
import type { Run } from '../../operations/run.ts';
import { readDomainWithRules } from '../../tables/domain.sql.ts';
import { ensureContacts, hideBy } from './ensure-contacts.ts';
import { contactOfHandle, releaseContact } from './registry-contact.sql.ts';

/**
 * RFC 5730 3, 2303: an object that the command references does not exist. A contact that was deleted at the registry is created again
 * under its handle. True: at least one was.
 */
export async function recreateMissingContacts(run: Run, handles: readonly string[]): Promise<boolean> {
  const { ctx, registry, operation } = run;
  let isRepaired = false;
  for (const handle of new Set(handles)) {
    const shown = await registry.contactInfo(handle);
    if (shown.kind !== 'done' || shown.data !== null) continue;
    const contact = await contactOfHandle(ctx.db.as(allTenants), registry.id, handle);
    if (!contact || operation.domain_id === null) continue;
    await ctx.db.transaction(allTenants, (tx) => releaseContact(tx, registry.id, handle));
    const { rules } = await readDomainWithRules(ctx.db.as(allTenants), operation.domain_id);
    const made = await ensureContacts(run, [contact.contact_id], hideBy(rules, contact.shown_as !== 'plain'));
    isRepaired ||= made.kind === 'ready';
  }
  return isRepaired;
}
