import { sql, type Tx } from '@namehold/postgres';
import { Refusal } from '../errors.ts';
import type { TransferIn } from '../model/domain.ts';
import { domainTable } from '../tables/domain.sql.ts';

interface NewDomain {
  readonly resellerId: string;
  readonly customerId: string;
  readonly name: string;
  readonly tld: string;
  readonly registryId: string;
  readonly contacts: { registrant: string | null; admin: string | null; tech: string | null; billing: string | null };
  readonly nameservers: readonly string[];
  readonly extra: Readonly<Record<string, string>>;
  readonly premium: { class: string; renewalFee: bigint | null; currency: string } | null;
  readonly transfer?: TransferIn;
  /** Undefined: the default of its customer, or of its account. */
  readonly renewalMode?: 'manual' | undefined;
  readonly now: Date;
}

/**
 * The row of a new domain: with its order, with an unpaid order, or from the row of an unpaid order, as it was checked again. Unless it
 * is an unpaid order, the insert violates `domain_name_once` if the domain name is active or pending already.
 */
export async function enterDomain(
  tx: Tx,
  d: NewDomain,
  entry: 'ordered' | 'waiting' | { readonly unpaidOrder: string },
): Promise<string> {
  if (typeof entry === 'string') return insertDomain(tx, d, entry === 'waiting' ? 'unpaid' : 'pending');
  const row = await tx.maybe<{ id: string }>(sql`
    update domain set ${domainTable.set({ ...orderedColumns(d), state: 'pending', holder_changed_at: null })}
    where id = ${entry.unpaidOrder} and reseller_id = ${d.resellerId} and name = ${d.name} and state = 'unpaid' returning id`);
  if (!row) throw new Refusal('conflict', `The order for ${d.name} is no longer waiting.`);
  return row.id;
}

export async function insertDomain(tx: Tx, d: NewDomain, state: 'pending' | 'unpaid' = 'pending'): Promise<string> {
  const row = domainTable.insert(
    {
      reseller_id: d.resellerId,
      name: d.name,
      state,
      ...orderedColumns(d),
      renewal_mode: sql`coalesce(${d.renewalMode ?? null}::text, (select renewal_mode from customer where id = ${d.customerId}), (select renewal_mode from reseller where id = ${d.resellerId}), 'manual')`,
      created_at: d.now,
    },
    'returning id',
  );
  const { id } = await tx.one<{ id: string }>(row);
  return id;
}

const orderedColumns = (d: NewDomain) => ({
  customer_id: d.customerId,
  tld: d.tld,
  registry_id: d.registryId,
  registrant_contact_id: d.contacts.registrant,
  admin_contact_id: d.contacts.admin,
  tech_contact_id: d.contacts.tech,
  billing_contact_id: d.contacts.billing,
  nameservers: d.nameservers,
  extra: d.extra,
  premium_class: d.premium?.class ?? null,
  premium_renewal_fee: d.premium?.renewalFee?.toString() ?? null,
  premium_currency: d.premium?.currency ?? null,
  ...(d.transfer ? { transfer: d.transfer } : {}),
  updated_at: d.now,
});
