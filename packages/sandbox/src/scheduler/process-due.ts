import { splitName, type Tx } from '@namehold/base';
import { findContact } from '../contact/contact.sql.ts';
import { completeContactTransfer } from '../contact/transfer.ts';
import { completeTransfer } from '../domain/complete-transfer.ts';
import { lockDomain } from '../domain/domain.sql.ts';
import { dueOf } from '../domain/record.ts';
import type { CommitEffects, Registry } from '../registry/registry.ts';
import type { SandboxTld } from '../tlds/index.ts';
import { type Cause, latestTransfer } from '../transfer/transfer.sql.ts';
import { type DueEvent, subjectOf } from './due.sql.ts';
import { nextPhase } from './next-phase.ts';

/** Makes one due change, at its own time, in a transaction of its own. */
export async function processDue(tx: Tx, registry: Registry, effects: CommitEffects, event: DueEvent): Promise<void> {
  const cause: Cause = { at: event.at, effects, clTRID: null, svTRID: registry.ids.next('NH') };
  if (event.kind === 'transfer') return approveByTimeout(tx, registry, cause, event.key);
  const domain = await lockDomain(tx, event.key);
  // Checked again under the lock: a command may have come first.
  if (domain === undefined || dueOf(domain).getTime() !== event.at.getTime()) return;
  await nextPhase(tx, cause, domain, registry.tlds.get(domain.tld) as SandboxTld);
}

/** RFC 5731 2.3 and the transfer policy: no response within the period counts as approval. */
async function approveByTimeout(tx: Tx, registry: Registry, cause: Cause, id: string): Promise<void> {
  const row = await subjectOf(tx, id);
  const domain = row.object === 'domain' ? await lockDomain(tx, row.name) : undefined;
  const transfer = await latestTransfer(tx, row.object, row.object_id);
  if (transfer?.id !== id || transfer.state !== 'pending') return;
  if (domain === undefined) {
    const contact = await findContact(tx, row.name);
    if (contact !== undefined) await completeContactTransfer(tx, cause, contact, transfer, 'serverApproved');
    return;
  }
  const tld = registry.tlds.get(domain.tld) as SandboxTld;
  const label = splitName(domain.name, registry.tlds)?.label ?? domain.name;
  await completeTransfer(tx, cause, { domain, label, tld, transfer }, 'serverApproved');
}
