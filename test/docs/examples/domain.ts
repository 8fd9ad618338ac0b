import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from '../../support/service.ts';
import type { Example } from '../example.ts';

const contacts = {
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
};

/** The embedded nameserver follows within milliseconds; the exact time is not shown. */
async function published(t: TestService): Promise<void> {
  for (let waited = 0; waited < 300_000; waited += 50) {
    const zone = await t.call('GET', '/v1/domains/first-shop.com/zone');
    if (zone.body.publication.state === 'published') return;
    await sleep(50);
  }
}

/** Registers, uses and renews a domain. */
export const domainExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'availability',
    path: '/v1/domains/availability',
    query: { domain: 'example-shop.com,coffee.shop' },
  },
  {
    kind: 'http',
    name: 'contacts',
    path: '/v1/customers/2001/contacts',
    keep: ['contact_id', 'name', 'email', 'country_code'],
  },
  {
    kind: 'http',
    name: 'quote',
    path: '/v1/quotes',
    json: { kind: 'register', domain_name: 'example-shop.com', years: 1 },
    remember: (body, values) => {
      values.quoteId = body.quote_id;
    },
  },
  {
    kind: 'http',
    name: 'dry-run',
    path: '/v1/domains',
    form: { domain_name: 'example-shop.com', ...contacts, invoice_option: 'no_invoice', dry_run: 'true' },
  },
  {
    kind: 'http',
    name: 'register',
    path: '/v1/domains',
    headers: { 'Idempotency-Key': 'order-1' },
    form: { domain_name: 'example-shop.com', ...contacts, invoice_option: 'no_invoice' },
    remember: (body, values) => {
      values.domainId = body.domain_id;
      values.operationId = body.operation_id;
    },
  },
  {
    kind: 'http',
    name: 'register-first',
    path: '/v1/domains',
    headers: { 'Idempotency-Key': 'first-order' },
    form: { domain_name: 'first-shop.com', ...contacts, invoice_option: 'no_invoice' },
  },
  {
    kind: 'http',
    name: 'domain-read',
    path: '/v1/domains/example-shop.com',
    keep: [
      'domain_id',
      'domain_name',
      'order_status',
      'status',
      'end_date',
      'registry_expires_at',
      'renew_by',
      'locked',
      'suspended',
      'theft_protection',
      'nameservers',
      'registry_status',
      'synced_at',
    ],
  },
  {
    kind: 'http',
    name: 'record-add',
    path: '/v1/domains/first-shop.com/dns/ip',
    form: { hostname: 'www', value: '192.0.2.80' },
    after: published,
  },
  { kind: 'dig', name: 'dig', args: ['www.first-shop.com', 'A', '+short'] },
  {
    kind: 'http',
    name: 'theft-protection',
    method: 'DELETE',
    path: '/v1/domains/example-shop.com/theft_protection',
  },
  {
    kind: 'http',
    name: 'timeline',
    path: '/v1/domains/example-shop.com/timeline',
    keep: ['domain_name', 'order_status', 'milestones', 'must_act'],
  },
  {
    kind: 'http',
    name: 'renew-wrong-date',
    path: '/v1/domains/example-shop.com/renew',
    form: { years: '1', current_date: '2025-03-01', invoice_option: 'no_invoice' },
    status: 400,
  },
  {
    kind: 'http',
    name: 'renew',
    path: '/v1/domains/example-shop.com/renew',
    headers: { 'Idempotency-Key': 'renewal-1' },
    form: { years: '1', current_date: '2026-03-01', invoice_option: 'no_invoice' },
  },
];
