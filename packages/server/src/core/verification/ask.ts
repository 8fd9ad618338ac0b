import { addDays, type Tx } from '@namehold/base';
import { looksAfterHolders } from '../accounts/account.sql.ts';
import type { Domain } from '../domains/domain.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { type Actor, type House, write } from '../house.ts';
import { findHolder } from '../notices/holder.sql.ts';
import type { RecipientRow } from '../notices/notify.ts';
import { tellHolder } from '../notices/tell.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import type { TldRules } from '../tlds/tld.ts';
import { makeLink } from './link.ts';
import { verificationPolicy, verificationRule } from './policy.ts';
import { linksSince, lockAddress, waitForHolder } from './verification.sql.ts';
import { type AskedHolderRow, type HolderWait, type VerificationCause, verificationState } from './verification.ts';

/** What must be known of a name whose holder is asked. */
export interface AskedNameRow {
  readonly id: string;
  readonly reseller_id: string;
  readonly name: string;
  readonly tld: string;
  readonly registrant_contact_id: string | null;
}

/** What a name waits for from now on; undefined: its TLD asks nobody. */
export function holderWait(
  house: House,
  tld: string,
  cause: VerificationCause,
  rules: TldRules,
): HolderWait | undefined {
  const rule = verificationRule(house.config, tld, rules);
  if (!rule) return undefined;
  const since = house.clock.now();
  const lately = new Date(since.getTime() - verificationPolicy.oneMailMs);
  return { since, by: addDays(since, rule.days), cause, lately, hold: rule.hold };
}

/** Says whom it waits for. An address that was confirmed to this reseller before is not asked again; one that several names have gets one mail. */
export async function tellAsked(
  house: House,
  tx: Tx,
  domain: AskedNameRow,
  holder: AskedHolderRow,
  { by, hold }: HolderWait,
): Promise<void> {
  if (holder.is_verified) return;
  await appendEvent(house, tx, {
    resellerId: domain.reseller_id,
    type: 'domain.verification_asked',
    objectId: domain.id,
    payload: { domain_id: domain.id, domain_name: domain.name, verify_by: by.toISOString() },
  });
  if (holder.links === 0) await sendLink(house, tx, domain, holder, { kind: 'holder_verification', until: by, hold });
}

/** In the transaction of a transfer or a change of the holder: the address must be confirmed by then. A registration has it in its own change of the name. */
export async function askHolder(
  house: House,
  tx: Tx,
  domain: AskedNameRow,
  cause: VerificationCause,
  rules?: TldRules,
): Promise<void> {
  const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
  if (house.config.verifyHolders === 'off' || contactId === null) return;
  const wait = holderWait(house, domain.tld, cause, rules ?? (await rulesOf(tx, domain.tld)));
  const holder = wait && (await waitForHolder(tx, { id: domain.id, resellerId, contactId }, wait));
  if (holder) await tellAsked(house, tx, domain, holder, wait);
}

async function sendLink(
  house: House,
  tx: Tx,
  domain: AskedNameRow,
  holder: RecipientRow,
  about: { readonly kind: 'holder_verification' | 'holder_unverified'; readonly until: Date; readonly hold: boolean },
): Promise<void> {
  if (await looksAfterHolders(tx, domain.reseller_id)) return;
  const { token, link } = await makeLink(house, tx, {
    resellerId: domain.reseller_id,
    domainId: domain.id,
    to: holder,
    expiresAt: addDays(house.clock.now(), verificationPolicy.linkDays),
  });
  const told =
    about.kind === 'holder_verification'
      ? ({ kind: about.kind, facts: { link, until: about.until, on_hold: about.hold ? 'yes' : null } } as const)
      : ({ kind: about.kind, facts: { link } } as const);
  await tellHolder(house, tx, domain, { ...told, token });
}

/** Asks once more; also when the name goes on hold, in the transaction that settles it. */
export async function writeToHolder(
  house: House,
  tx: Tx,
  domain: AskedNameRow & { readonly verify_by: Date | null },
  kind: 'holder_verification' | 'holder_unverified',
): Promise<void> {
  const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
  const holder = contactId === null ? undefined : await findHolder(tx, resellerId, contactId);
  if (!holder) return;
  const rule = verificationRule(house.config, domain.tld, await rulesOf(tx, domain.tld));
  const until = domain.verify_by ?? house.clock.now();
  await sendLink(house, tx, domain, holder, { kind, until, hold: rule?.hold ?? false });
}

/** The name whose holder was asked again. */
export interface SentAgain {
  readonly domainId: string;
}

/** The mail once more, with a link of its own. `cause`: only where it is for this that the holder was asked. */
export async function sendLinkAgain(
  house: House,
  actor: Actor,
  domain: AskedNameRow &
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
  return write(house, actor, async (tx) => {
    if (await looksAfterHolders(tx, domain.reseller_id))
      throw new Refusal(
        'conflict',
        'This account verifies its registrants itself. Ask them, and report what they confirm.',
      );
    const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
    const holder = contactId === null ? undefined : await findHolder(tx, resellerId, contactId);
    if (!holder) throw new Refusal('conflict', `${domain.name} has no registrant who could be asked.`);
    await lockAddress(tx, resellerId, holder.email);
    const lately = new Date(house.clock.now().getTime() - verificationPolicy.oneMailMs);
    if ((await linksSince(tx, resellerId, holder.email, lately)) >= verificationPolicy.linksPerDay)
      throw new Refusal(
        'conflict',
        `The limit of ${verificationPolicy.linksPerDay} such mails a day is reached. Try again tomorrow.`,
      );
    await writeToHolder(house, tx, domain, domain.unverified ? 'holder_unverified' : 'holder_verification');
    return { domainId: domain.id };
  });
}
