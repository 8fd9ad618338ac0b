import { everyTenant, sql } from '@namehold/base';
import { expect, test } from 'vitest';
import { startTestService } from '../../../../test/support/service.ts';
test('measure', async () => {
  const t = await startTestService({ sandbox: true });
  const began = Date.now();
  for (let from = 0; from < 1_000_000; from += 50_000)
    await t.house.db.transaction(everyTenant, (tx) => tx.run(sql`
      insert into domain (reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, nameservers, end_date, registry_expires_at, registry_status, created_at, updated_at)
      select 1000, 2001, 'n' || g || '.com', 'com', 'sandbox', 'live', 3001, '{ns1.namehold-dns.net,ns2.namehold-dns.net}', now() + (g % 700) * interval '1 day' - interval '10 days', now(), '{ok}', now(), now()
      from generate_series(${from}::int + 1, ${from}::int + 50000) g`));
  console.log('seeded', Date.now() - began);
  await t.house.db.pool.query("select 1");
  const time = async (label: string, query: Record<string, string>) => {
    const times: number[] = []; let total = '';
    for (let i = 0; i < 5; i++) { const s = performance.now(); const r = await t.call('GET', '/v1/domains', { query }); times.push(performance.now() - s); expect(r.status).toBe(200); total = r.headers.get('x-total-count')!; }
    console.log(label, times.map((x) => x.toFixed(0)).join(' '), 'ms, total', total);
  };
  await time('page 1', { limit: '100' });
  await time('page 5000', { limit: '100', page_no: '5000' });
  await time('exact', { domain_name: 'n777777.com', exact_domain_name: '1' });
  await time('prefix', { domain_name: 'n77777', limit: '100' });
  await time('Live', { status: 'Live', limit: '100' });
  await time('Expired', { status: 'Expired', limit: '100' });
  await time('expiry range', { expiry_date_start: '2027-01-01', expiry_date_end: '2027-01-02', limit: '100' });
  await time('customer', { customer_id: '2001', limit: '100' });
  const s = performance.now(); for (let i = 0; i < 20; i++) await t.call('GET', '/v1/domains/n5000.com', {}); console.log('detail', ((performance.now() - s) / 20).toFixed(1));
  await t.stop();
}, 600_000);
