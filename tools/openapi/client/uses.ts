import type { components } from '../../../packages/console/src/api/types.ts';
import { clientOf } from './client.ts';

type Schemas = components['schemas'];

/** Typical calls of a panel. The test is that this file compiles, with these errors and no others. */
export async function sellOne(address: string, credentials: string): Promise<string> {
  const call = clientOf(address, credentials);
  const { reseller_id, limits } = await call('/account/profile', 'get', {});
  const customer: Schemas['Customer'] = await call('/customers/{customer_id}', 'get', {
    path: { customer_id: '2001' },
  });
  const quote: Schemas['Quote'] = await call('/quotes', 'post', {
    body: { kind: 'register', domain_name: 'example.com', years: 1 },
  });
  const contact = {
    registrant_contact_id: '3001',
    admin_contact_id: '-1',
    tech_contact_id: '-1',
    billing_contact_id: '-1',
  };
  const order = await call('/domains', 'post', {
    body: {
      ...contact,
      domain_name: quote.domain_name,
      customer_id: customer.customer_id,
      ns: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'],
      invoice_option: 'no_invoice',
      quote_id: quote.quote_id,
    },
  });
  if ('dry_run' in order) return order.what_happens;
  const domains: Schemas['Domain'][] = await call('/domains', 'get', { query: { limit: limits.page_size_max } });
  const zone = await call('/domains/{domain_id}/zone/rrsets', 'patch', {
    path: { domain_id: order.order_id ?? '' },
    body: { rrsets: [{ name: 'www', type: 'A', records: ['192.0.2.1'] }] },
  });
  // @ts-expect-error: nameservers are a list
  await call('/domains/{domain_id}/ns', 'put', { path: { domain_id: '5001' }, body: { ns: 'ns1.example.com' } });
  // @ts-expect-error: the kind is missing
  await call('/quotes', 'post', { body: { domain_name: 'example.com' } });
  // @ts-expect-error: there is no such path
  await call('/nothing', 'get', {});
  return `${reseller_id} ${domains.length} ${zone.serial}`;
}
