import type { Tx } from '@namehold/postgres';
import { appendEvent } from '../../events/append.ts';
import { type Domain, rolesOf } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import { keepsContacts, type TldRules } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import type { Evidence } from '../../ports/registry.ts';
import { sendDifference } from '../change/send-difference.ts';
import { replaceContacts } from '../change/set-contacts.sql.ts';
import { targetOf } from '../change/update-target.ts';
import { domainEvent } from '../registry/outcome.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';

type LaterContacts =
  | { readonly kind: 'sent'; readonly refused?: Evidence }
  | { readonly kind: 'later'; readonly why: string };

/** Contacts that were assigned while the registry reviewed the registration: sent when it is approved (RFC 5731 3.2.5: not before). */
export async function sendLaterContacts(run: Run<'register'>, domain: Domain, rules: TldRules): Promise<LaterContacts> {
  if (!keepsContacts(rules)) return { kind: 'sent' };
  const { name, privacy } = run.operation.request;
  const queryReply = await readRegistryDomain(run, name);
  if (queryReply.kind === 'refused') return { kind: 'later', why: describe(queryReply.evidence) };
  if (queryReply.kind !== 'done') return { kind: 'later', why: queryReply.why };
  const wanted = { contacts: rolesOf(domain), privacy };
  const target = await targetOf(run, domain, rules, { name, change: 'contacts', wanted }, queryReply.data);
  const reply =
    target.kind === 'stopped'
      ? target.reply
      : (await sendDifference(run, 'contacts-after-review', queryReply.data, target.value)).reply;
  if (reply.kind === 'unknown' || reply.kind === 'unsent') return { kind: 'later', why: reply.why };
  return reply.kind === 'refused' ? { kind: 'sent', refused: reply.evidence } : { kind: 'sent' };
}

/** The registry refused the later contacts: the domain keeps those with which it was registered. */
export async function keepSentContacts(run: Run<'register'>, tx: Tx, evidence: Evidence): Promise<void> {
  const { ctx, operation } = run;
  const sent = operation.outcome?.plan?.sent_contacts;
  if (sent) await replaceContacts(tx, operation.domain_id, sent, ctx.clock.now());
  const facts = { change: 'contacts', registry_code: evidence.code, reason: describe(evidence) };
  await appendEvent(ctx, tx, domainEvent(operation, 'domain.update_refused', facts));
}
