import { allTenants, openDatabase, sql } from '@namehold/postgres';
import type { Buyer } from './buyers.ts';
import { measure, rounded, show } from './rate.ts';
import type { Stage } from './stage.ts';

const reads = 1_000;
const lists = 200;
const inFlight = 4;
const seedTimeoutMs = 1_800_000;

/** Live domains of one reseller up to `size`, written directly into the table, because a million registrations take too long. */
async function seed(stage: Stage, buyer: Buyer, size: number): Promise<void> {
  const db = openDatabase({ url: stage.databaseUrl, maxConnections: 1, statementTimeoutMs: seedTimeoutMs });
  const admin = db.as(allTenants);
  const { present } = await admin.one<{ present: number }>(
    sql`select count(*)::int as present from domain where name like 'seeded-%'`,
  );
  await db.autocommit(allTenants).run(sql`
    insert into domain (reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, admin_contact_id, tech_contact_id,
      billing_contact_id, nameservers, end_date, registry_expires_at, registry_created_at, registry_status, synced_at, created_at, updated_at)
    select ${buyer.resellerId}, ${buyer.customerId}, 'seeded-' || n || '.com', 'com', 'sandbox', 'live', ${buyer.contactId}, ${buyer.contactId},
      ${buyer.contactId}, ${buyer.contactId}, '{ns1.namehold-dns.net,ns2.namehold-dns.net}', now() + n * interval '1 minute',
      now() + n * interval '1 minute', now(), '{ok}', now() + interval '20 years', now(), now()
    from generate_series(${present + 1}::int, ${size}::int) n`);
  await admin.many(sql`vacuum analyze domain`);
  await db.close();
}

/** The figures of one size. */
export async function measureReads(stage: Stage, buyer: Buyer, size: number): Promise<object> {
  await seed(stage, buyer, size);
  const get = async (path: string) => {
    const { status, body } = await stage.call(buyer.credentials, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as unknown;
  };
  const spread = (index: number) => 1 + ((index * 7_919) % size);
  const byName = (index: number) => get(`/v1/domains/seeded-${spread(index)}.com`);
  const page =
    (number: number, more = '') =>
    () =>
      get(`/v1/domains?limit=100&page_no=${number}${more}`);
  await measure(100, inFlight, byName);
  const last = Math.floor(size / 100);
  // The baseline: a call that looks up one balance. The machine affects both equally.
  const floor = await measure(reads, inFlight, () => get('/v1/account/balance'));
  const read = await measure(reads, inFlight, byName);
  const first = await measure(lists, inFlight, page(1));
  return {
    domains: size,
    balance_call: show(floor),
    read_by_name: show(read),
    list_first_100: show(first),
    list_last_100: show(await measure(Math.min(lists, 40), inFlight, page(last))),
    read_to_balance_call: rounded(read.perSecond / floor.perSecond, 3),
    list_to_balance_call: rounded(first.perSecond / floor.perSecond, 3),
  };
}
