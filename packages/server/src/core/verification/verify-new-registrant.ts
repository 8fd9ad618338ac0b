import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { Contact } from '../model/contact.ts';
import { notify } from '../notices/notify.ts';
import { findRegistrant, type RegistrantRow } from '../notices/recipient.sql.ts';
import { isOtherRegistrant } from '../policy/registrant.ts';
import { verificationPolicy } from '../policy/verification.ts';
import { sameAddress } from '../reference/email.ts';
import { type DomainToVerifyRow, requestVerification } from './request-verification.ts';
import { countDomainsOfRegistrant, domainsOfRegistrant, queueVerifications } from './verification.sql.ts';

type Registrant = Pick<RegistrantRow, 'id' | 'name' | 'company' | 'email' | 'country_code'>;

const shown = ({ name, company }: Registrant) => (company === '' || company === name ? name : `${name}, ${company}`);

/** A domain got another contact as its registrant. */
export async function verifyNewRegistrant(
  ctx: AppContext,
  tx: Tx,
  domain: DomainToVerifyRow,
  presentId: string | null,
): Promise<void> {
  const { reseller_id: resellerId, registrant_contact_id: formerId } = domain;
  const former = formerId === null ? undefined : await findRegistrant(tx, resellerId, formerId);
  const present = presentId === null ? undefined : await findRegistrant(tx, resellerId, presentId);
  if (!former || !present || !isOtherRegistrant(former, present)) return;
  await notifyBothSides(ctx, tx, resellerId, { former, present, names: domain.name, domainId: domain.id });
  await requestVerification(ctx, tx, { ...domain, registrant_contact_id: presentId }, 'change');
}

const namesListed = 10;

/** The data of a contact changed, and with them the registrant of all its domains. */
export async function notifyContactChange(ctx: AppContext, tx: Tx, former: Contact, present: Contact): Promise<void> {
  if (!isOtherRegistrant(former, present)) return;
  const { reseller_id: resellerId, id } = present;
  const domains = await domainsOfRegistrant(tx, resellerId, id, verificationPolicy.namesPerChange);
  if (domains.length === 0) return;
  const count = await countDomainsOfRegistrant(tx, resellerId, id);
  const first = domains.slice(0, namesListed).map(({ name }) => name);
  const names = first.join(', ') + (count > namesListed ? `, +${count - namesListed}` : '');
  await notifyBothSides(ctx, tx, resellerId, { former, present, names, domainId: domains[0]!.id });
  for (const domain of domains) await requestVerification(ctx, tx, domain, 'change');
  // The domains of a registrant with very many: a background job handles them in slices.
  if (count > domains.length) await queueVerifications(tx, resellerId, id, domains.at(-1)!.id);
}

async function notifyBothSides(
  ctx: AppContext,
  tx: Tx,
  resellerId: string,
  change: {
    readonly former: Registrant;
    readonly present: Registrant;
    readonly names: string;
    readonly domainId: string;
  },
): Promise<void> {
  const { former, present, names, domainId } = change;
  const facts = { domain: names, former: shown(former), present: shown(present) };
  const sides = sameAddress(former.email, present.email) ? [present] : [former, present];
  for (const to of sides) await notify(ctx, tx, { kind: 'holder_changed', resellerId, to, facts, domainId });
}
