import type { Tx } from '@namehold/base';
import type { Contact } from '../contacts/contact.ts';
import type { House } from '../house.ts';
import { findHolder, type HolderRow } from '../notices/holder.sql.ts';
import { notify } from '../notices/notify.ts';
import { isAnotherHolder } from '../policy/holder.ts';
import { type AskedNameRow, askHolder } from './ask.ts';
import { verificationPolicy } from './policy.ts';
import { countNamesOfHolder, namesOfHolder, oweAsking } from './verification.sql.ts';

type Holder = Pick<HolderRow, 'id' | 'name' | 'company' | 'email' | 'country_code'>;

const shown = ({ name, company }: Holder) => (company === '' || company === name ? name : `${name}, ${company}`);

/** A name got another contact as its holder. */
export async function meetNewHolder(
  house: House,
  tx: Tx,
  domain: AskedNameRow,
  presentId: string | null,
): Promise<void> {
  const { reseller_id: resellerId, registrant_contact_id: formerId } = domain;
  const former = formerId === null ? undefined : await findHolder(tx, resellerId, formerId);
  const present = presentId === null ? undefined : await findHolder(tx, resellerId, presentId);
  if (!former || !present || !isAnotherHolder(former, present)) return;
  await tellBoth(house, tx, resellerId, { former, present, names: domain.name, domainId: domain.id });
  await askHolder(house, tx, { ...domain, registrant_contact_id: presentId }, 'change');
}

const namesTold = 10;

/** The data of a contact changed, and with them the holder of all its names. */
export async function tellOfChange(house: House, tx: Tx, former: Contact, present: Contact): Promise<void> {
  if (!isAnotherHolder(former, present)) return;
  const { reseller_id: resellerId, id } = present;
  const domains = await namesOfHolder(tx, resellerId, id, verificationPolicy.namesPerChange);
  if (domains.length === 0) return;
  const count = await countNamesOfHolder(tx, resellerId, id);
  const first = domains.slice(0, namesTold).map(({ name }) => name);
  const names = first.join(', ') + (count > namesTold ? `, +${count - namesTold}` : '');
  await tellBoth(house, tx, resellerId, { former, present, names, domainId: domains[0]!.id });
  for (const domain of domains) await askHolder(house, tx, domain, 'change');
  // Those of a holder with very many: the clockwork goes through them, slice by slice.
  if (count > domains.length) await oweAsking(tx, resellerId, id, domains.at(-1)!.id);
}

async function tellBoth(
  house: House,
  tx: Tx,
  resellerId: string,
  change: {
    readonly former: Holder;
    readonly present: Holder;
    readonly names: string;
    readonly domainId: string;
  },
): Promise<void> {
  const { former, present, names, domainId } = change;
  const facts = { domain: names, former: shown(former), present: shown(present) };
  const sides = former.email.toLowerCase() === present.email.toLowerCase() ? [present] : [former, present];
  for (const to of sides) await notify(house, tx, { kind: 'holder_changed', resellerId, to, facts, domainId });
}
