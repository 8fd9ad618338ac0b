import { allTenants } from '@namehold/postgres';
import { type Domain, rolesOf } from '../../model/domain.ts';
import type { DomainKind } from '../../model/operation-kinds.ts';
import { keepsContacts, privacyMethodOf, type TldRules } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import type { RegistryDomain, Reply } from '../../ports/registry.ts';
import { readDomainWithRules } from '../../tables/domain.sql.ts';
import { noteHidden } from '../change/privacy.sql.ts';
import { sendDifference } from '../change/send-difference.ts';
import { contactTarget } from '../change/update-target.ts';
import { isEmptyChange } from '../change/wanted.ts';
import { upstreamPrivacy } from './upstream-privacy.ts';

export type Hidden =
  | { readonly kind: 'hidden'; readonly reply: Extract<Reply<null>, { kind: 'done' }>; readonly isSent: boolean }
  | { readonly kind: 'stopped'; readonly reply: Exclude<Reply<null>, { kind: 'done' }> };

/**
 * Sends the private handles of the contacts in place of the plain ones. Nothing is sent if the registry has them already, and nothing is
 * queried at a registry that keeps no contacts.
 */
export async function hideRegistrant(
  run: Run<DomainKind>,
  step: string,
  query: () => Promise<Reply<RegistryDomain>>,
): Promise<Hidden> {
  const { ctx, operation } = run;
  const { domain, rules } = await readDomainWithRules(ctx.db.as(allTenants), operation.domain_id);
  const isThere = keepsContacts(rules) || privacyMethodOf(rules) === 'upstream';
  const hidden = isThere ? await hideThere(run, step, { domain, rules }, query) : nothingToHide;
  // Recorded at once: if the purchase fails after all, a background job removes the privacy protection again.
  if (hidden.kind === 'hidden') await ctx.db.transaction(allTenants, (tx) => noteHidden(tx, domain.id));
  return hidden;
}

const nothingToHide: Hidden = {
  kind: 'hidden',
  reply: { kind: 'done', data: null, pending: false, evidence: {} },
  isSent: false,
};

async function hideThere(
  run: Run<DomainKind>,
  step: string,
  { domain, rules }: { readonly domain: Domain; readonly rules: TldRules },
  look: () => Promise<Reply<RegistryDomain>>,
): Promise<Hidden> {
  const view = await look();
  if (view.kind !== 'done') return { kind: 'stopped', reply: view };
  const target =
    privacyMethodOf(rules) === 'upstream'
      ? upstreamPrivacy(run, rules, true)
      : await contactTarget(run, domain, rules, rolesOf(domain), true);
  if (target.kind === 'stopped') return { kind: 'stopped', reply: target.reply };
  const { reply, change } = await sendDifference(run, step, view.data, { ...target.value, statuses: [] });
  return reply.kind === 'done' ? { kind: 'hidden', reply, isSent: !isEmptyChange(change) } : { kind: 'stopped', reply };
}
