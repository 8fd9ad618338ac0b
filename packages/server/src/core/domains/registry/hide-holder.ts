import { everyTenant } from '@namehold/base';
import type { DomainKind } from '../../operations/kinds.ts';
import type { Run } from '../../operations/run.ts';
import { noteHidden } from '../change/privacy.sql.ts';
import { sendDifference } from '../change/send-difference.ts';
import { contactTarget } from '../change/update-target.ts';
import { isEmptyChange } from '../change/wanted.ts';
import { readDomainWithRules } from '../domain.sql.ts';
import { rolesOf } from '../domain.ts';
import type { RegistryDomain, Reply } from './registry.ts';

export type Hidden =
  | { readonly kind: 'hidden'; readonly reply: Extract<Reply<null>, { kind: 'done' }>; readonly isSent: boolean }
  | { readonly kind: 'stopped'; readonly reply: Exclude<Reply<null>, { kind: 'done' }> };

/** The registry gets the private handles of the contacts in place of the plain ones; nothing is sent where it has them already. */
export async function hideHolder(run: Run<DomainKind>, step: string, view: RegistryDomain): Promise<Hidden> {
  const { house, operation } = run;
  const { domain, rules } = await readDomainWithRules(house.db.as(everyTenant), operation.domain_id);
  const target = await contactTarget(run, domain, rules, rolesOf(domain), true);
  if (target.kind === 'stopped') return { kind: 'stopped', reply: target.reply };
  const { reply, change } = await sendDifference(run, step, view, { ...target.value, statuses: [] });
  if (reply.kind !== 'done') return { kind: 'stopped', reply };
  // Noted at once: should the purchase come to nothing after all, the clockwork takes it away again.
  await house.db.transaction(everyTenant, (tx) => noteHidden(tx, domain.id));
  return { kind: 'hidden', reply, isSent: !isEmptyChange(change) };
}
