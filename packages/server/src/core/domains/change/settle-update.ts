import type { Tx } from '@namehold/postgres';
import { recordRegistrantChangeEnd } from '../../approvals/registrant-change-events.ts';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { approvalLimits } from '../../model/approval.ts';
import type { Domain } from '../../model/domain.ts';
import type { EncryptedSecrets, UpdateRequest } from '../../model/domain-change.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Run } from '../../operations/run.ts';
import { isOtherRegistrant } from '../../policy/registrant.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { contactOf, contactsOf } from '../../tables/contacts-of.sql.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { domainUpdated } from '../effects.ts';
import { notifyInterruption } from '../end/notify-interruption.ts';
import { domainEvent } from '../registry/outcome.ts';
import { authCodePolicy, encryptAuthCode } from './auth-code-policy.ts';
import { markPrivacySent } from './privacy.sql.ts';
import { deleteAuthCodes, saveUpdate, showCodeUntil, type UpdatedFields } from './update-domain.sql.ts';
import { flagsAfter } from './wanted.ts';

/** Transaction B of a change: our row as the registry now has it (`shown`; null: it was not queried), the audit entry and the event. */
export async function settleUpdate(
  run: Run<'update'>,
  tx: Tx,
  request: UpdateRequest,
  shown: Pick<RegistryDomain, 'statuses' | 'ds'> | null,
  codeMadeThere?: string,
): Promise<void> {
  const { ctx, operation } = run;
  const now = ctx.clock.now();
  const before = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
  const view = shown ?? { statuses: before.registry_status, ds: before.ds };
  // The prior registrant's own choice takes precedence over that of the order.
  const isLockWaived = operation.approval?.lock_opt_out ?? request.holder?.isLockWaived ?? false;
  const after: UpdatedFields = {
    nameservers: [...(request.wanted.nameservers ?? before.nameservers)],
    ...contactsAfter(before, request),
    ...flagColumns(before, request, now),
    ...codeColumns(run, before, request, now, codeMadeThere),
    holder_changed_at: isLockWaived
      ? before.holder_changed_at
      : await registrantChangedAt(tx, before, request.wanted.contacts?.registrant, now),
  };
  await saveUpdate(tx, before.id, after, view, now, request.wanted.flags?.theft_protection !== undefined);
  if (request.wanted.privacy !== undefined) await markPrivacySent(tx, before.id, request.wanted.privacy);
  if (request.wanted.authCode === 'unset') await deleteAuthCodes(tx, before.id);
  if (request.wanted.authCode === 'set' && operation.approval)
    await showCodeUntil(tx, before.id, new Date(now.getTime() + approvalLimits.codeShownMs));
  const domain = { ...before, ...after };
  await ctx.effects.run(domainUpdated, { ctx, tx, actor: actorOf(operation), before, domain, wanted: request.wanted });
  const { unpaid } = request.wanted.flags ?? {};
  if (unpaid !== undefined) await notifyInterruption(ctx, tx, before, operation, unpaid);
  const facts = changes(before, {
    ...after,
    ds: [...view.ds],
    privacy_enabled: request.wanted.privacy ?? before.privacy_enabled,
  });
  await audit(ctx, tx, actorOf(operation), {
    action: `domain.${request.change}`,
    objectType: 'domain',
    objectId: before.id,
    before: facts.before,
    after: { ...facts.after, operation_id: operation.id, ...registrantConsent(request, isLockWaived) },
  });
  if (operation.approval?.awaits === 'holders')
    await recordRegistrantChangeEnd(ctx, tx, actorOf(operation), operation, 'holder_change.done');
  await appendEvent(ctx, tx, domainEvent(operation, 'domain.updated', { changed: [request.change], ...facts }));
}

/** How the change of registrant was authorised. */
const registrantConsent = ({ holder }: UpdateRequest, isLockWaived: boolean) =>
  holder && { holder_change: holder.path, agent_said: holder.isAgentDeclared, lock_opt_out: isLockWaived };

/** The time of the last change of registrant: now, if the new contact is a different registrant. */
export async function registrantChangedAt(
  tx: Tx,
  before: Domain,
  registrantId: string | null | undefined,
  now: Date,
): Promise<Date | null> {
  if (registrantId === undefined || registrantId === null || registrantId === before.registrant_contact_id)
    return before.holder_changed_at;
  const { registrant: old } = await contactsOf(tx, before);
  const after = await contactOf(tx, registrantId);
  return old && after && isOtherRegistrant(old, after) ? now : before.holder_changed_at;
}

function contactsAfter(before: Domain, { wanted }: UpdateRequest) {
  const { contacts } = wanted;
  return {
    registrant_contact_id: contacts ? contacts.registrant : before.registrant_contact_id,
    admin_contact_id: contacts ? contacts.admin : before.admin_contact_id,
    tech_contact_id: contacts ? contacts.tech : before.tech_contact_id,
    billing_contact_id: contacts ? contacts.billing : before.billing_contact_id,
  };
}

function flagColumns(before: Domain, { wanted }: UpdateRequest, now: Date) {
  const flags = flagsAfter(before, wanted);
  const reason = (flag: 'locked' | 'suspended') => {
    if (wanted.flags?.[flag] === undefined) return { reason: before[`${flag}_reason`], at: before[`${flag}_at`] };
    return wanted.flags[flag] ? { reason: wanted.reason ?? null, at: now } : { reason: null, at: null };
  };
  const [locked, suspended] = [reason('locked'), reason('suspended')];
  return {
    ...flags,
    locked_reason: locked.reason,
    locked_at: locked.at,
    suspended_reason: suspended.reason,
    suspended_at: suspended.at,
    suspended_open:
      wanted.flags?.suspended === undefined ? before.suspended_open : flags.suspended && wanted.takesChanges === true,
    unpaid_at: flags.unpaid ? (before.unpaid_at ?? now) : null,
  };
}

function codeColumns(
  { ctx, operation }: Run<'update'>,
  before: Domain,
  { wanted }: UpdateRequest,
  now: Date,
  codeMadeThere: string | undefined,
) {
  if (wanted.authCode === undefined) {
    return { auth_code_sealed: before.auth_code_sealed, auth_code_expires_at: before.auth_code_expires_at };
  }
  if (wanted.authCode === 'unset') return { auth_code_sealed: null, auth_code_expires_at: null };
  const opened = ctx.vault.open(operation.secrets_sealed!, `operation:${operation.id}`);
  const code = codeMadeThere ?? (JSON.parse(opened) as EncryptedSecrets).auth_code;
  return {
    auth_code_sealed: encryptAuthCode(ctx, before.id, code),
    auth_code_expires_at: new Date(now.getTime() + authCodePolicy.keptMs),
  };
}

const fields = [
  'nameservers',
  'registrant_contact_id',
  'admin_contact_id',
  'tech_contact_id',
  'billing_contact_id',
  'locked',
  'locked_reason',
  'suspended',
  'suspended_reason',
  'suspended_open',
  'theft_protection',
  'unverified',
  'unpaid',
  'ds',
  'privacy_enabled',
  'auth_code_expires_at',
] as const;

/** Only the fields that differ, and never a secret. */
function changes(before: Domain, after: UpdatedFields & Pick<Domain, 'ds' | 'privacy_enabled'>) {
  const differing = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return {
    before: Object.fromEntries(differing.map((field) => [field, before[field]])),
    after: Object.fromEntries(differing.map((field) => [field, after[field]])),
  };
}
