import { addDays } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { linksSince, lockAddress } from '../links/link.sql.ts';
import { makeLink } from '../links/link.ts';
import type { Domain } from '../model/domain.ts';
import type { TldRules } from '../model/tld.ts';
import {
  type RegistrantToVerifyRow,
  type VerificationCause,
  type VerificationWait,
  verificationState,
} from '../model/verification.ts';
import type { NewNotice } from '../notices/notify.ts';
import { notifyRegistrant } from '../notices/notify-recipients.ts';
import { findRegistrant, managesRegistrants } from '../notices/recipient.sql.ts';
import type { RecipientRow } from '../notices/recipient.ts';
import { verificationPolicy, verificationRule, verificationWait } from '../policy/verification.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import { beginVerificationWait } from './verification.sql.ts';

/** Facts of a domain whose registrant must be verified. */
export interface DomainToVerifyRow {
  readonly id: string;
  readonly reseller_id: string;
  readonly name: string;
  readonly tld: string;
  readonly registry_id: string;
  readonly registrant_contact_id: string | null;
}

/** Starts the wait. An address that was already confirmed to this reseller gets no mail; an address of several domains gets one. */
export async function recordVerificationRequested(
  ctx: AppContext,
  tx: Tx,
  domain: DomainToVerifyRow,
  registrant: RegistrantToVerifyRow,
  { by, hold }: VerificationWait,
): Promise<void> {
  if (registrant.is_verified) return;
  await appendEvent(ctx, tx, {
    resellerId: domain.reseller_id,
    type: 'domain.verification_asked',
    objectId: domain.id,
    payload: { domain_id: domain.id, domain_name: domain.name, verify_by: by.toISOString() },
  });
  if (registrant.links === 0)
    await sendLink(ctx, tx, domain, registrant, { kind: 'holder_verification', until: by, hold });
}

/**
 * In the transaction of a transfer or a change of registrant: the address must be confirmed by the deadline. A registration does this in
 * its own change of the domain.
 */
export async function requestVerification(
  ctx: AppContext,
  tx: Tx,
  domain: DomainToVerifyRow,
  cause: VerificationCause,
  rules?: TldRules,
): Promise<void> {
  const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
  if (ctx.config.verifyRegistrants === 'off' || contactId === null) return;
  const wait = verificationWait(ctx, domain.tld, cause, rules ?? (await rulesOf(tx, domain)));
  const registrant = wait && (await beginVerificationWait(tx, { id: domain.id, resellerId, contactId }, wait));
  if (registrant) await recordVerificationRequested(ctx, tx, domain, registrant, wait);
}

async function sendLink(
  ctx: AppContext,
  tx: Tx,
  domain: DomainToVerifyRow,
  registrant: RecipientRow,
  about: {
    readonly kind: 'holder_verification' | 'holder_unverified';
    readonly until: Date;
    readonly hold: boolean;
    readonly promised?: NewNotice['promised'];
  },
): Promise<void> {
  if (await managesRegistrants(tx, domain.reseller_id)) return;
  const { token, link } = await makeLink(ctx, tx, {
    resellerId: domain.reseller_id,
    domainId: domain.id,
    to: registrant,
    expiresAt: addDays(ctx.clock.now(), verificationPolicy.linkDays),
  });
  const notice =
    about.kind === 'holder_verification'
      ? ({ kind: about.kind, facts: { link, until: about.until, on_hold: about.hold ? 'yes' : null } } as const)
      : ({ kind: about.kind, facts: { link } } as const);
  await notifyRegistrant(ctx, tx, domain, {
    ...notice,
    token,
    ...(about.promised ? { promised: about.promised } : {}),
  });
}

/** Sends the mail again; also when the domain goes on hold, in the transaction that settles it. */
export async function remindRegistrant(
  ctx: AppContext,
  tx: Tx,
  domain: DomainToVerifyRow & { readonly verify_by: Date | null },
  kind: 'holder_verification' | 'holder_unverified',
  promised?: NewNotice['promised'],
): Promise<void> {
  const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
  const registrant = contactId === null ? undefined : await findRegistrant(tx, resellerId, contactId);
  if (!registrant) return;
  const rule = verificationRule(ctx.config, domain.tld, await rulesOf(tx, domain));
  const until = domain.verify_by ?? ctx.clock.now();
  const about = { kind, until, hold: rule?.hold ?? false, ...(promised ? { promised } : {}) };
  await sendLink(ctx, tx, domain, registrant, about);
}

/** The domain whose registrant got another mail. */
export interface SentAgain {
  readonly domainId: string;
}

/** Sends the mail again, with its own link. `cause`: only if the verification has this cause. */
export async function sendLinkAgain(
  ctx: AppContext,
  actor: Actor,
  domain: DomainToVerifyRow &
    Pick<Domain, 'state' | 'verify_since' | 'verify_by' | 'verify_cause' | 'unverified' | 'registry_hold'>,
  cause?: VerificationCause,
): Promise<SentAgain> {
  const state = verificationState(domain);
  if (state !== 'pending' && state !== 'held' && !(state === 'held_there' && domain.verify_by))
    throw new Refusal('conflict', `${domain.name} is not waiting for a confirmation by its registrant.`);
  if (cause !== undefined && domain.verify_cause !== cause)
    throw new Refusal(
      'conflict',
      `${domain.name} is waiting for the confirmation after its ${domain.verify_cause}, not after a change of registrant.`,
    );
  return write(ctx, actor, async (tx) => {
    if (await managesRegistrants(tx, domain.reseller_id))
      throw new Refusal(
        'conflict',
        'This account verifies its registrants itself. Ask them, and report what they confirm.',
      );
    const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
    const registrant = contactId === null ? undefined : await findRegistrant(tx, resellerId, contactId);
    if (!registrant) throw new Refusal('conflict', `${domain.name} has no registrant to send the mail to.`);
    await lockAddress(tx, resellerId, registrant.email);
    const lately = new Date(ctx.clock.now().getTime() - verificationPolicy.oneMailMs);
    if ((await linksSince(tx, resellerId, registrant.email, lately)) >= verificationPolicy.linksPerDay)
      throw new Refusal(
        'conflict',
        `The limit of ${verificationPolicy.linksPerDay} such mails a day is reached. Try again tomorrow.`,
      );
    await remindRegistrant(ctx, tx, domain, domain.unverified ? 'holder_unverified' : 'holder_verification', {});
    return { domainId: domain.id };
  });
}
