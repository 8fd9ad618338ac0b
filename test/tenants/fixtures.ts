import { allTenants, sql } from '@namehold/postgres';
import { makeReference } from '../../packages/server/src/core/payments/reference.ts';
import { insertDomainRow } from '../support/domain-row.ts';
import { makeContact, makeCustomer } from '../support/parties.ts';
import { keyFor, makeReseller } from '../support/resellers.ts';
import type { TestService } from '../support/service.ts';
import { openSession } from '../support/users.ts';

/** The objects of one reseller, by noun. A new noun needs a line here; the matrix then uses it in every operation. */
export interface Tenancy {
  readonly credentials: string;
  /** The session cookie of an owner. */
  readonly session: string;
  readonly nouns: Readonly<Record<Noun, string>>;
}

/** `name`: the domain by its name, which replaces its id in paths. */
export type Noun =
  | 'reseller'
  | 'customer'
  | 'contact'
  | 'key'
  | 'domain'
  | 'name'
  | 'transaction'
  | 'quote'
  | 'operation'
  | 'notice'
  | 'invoice'
  | 'payment'
  | 'mail_target'
  | 'session'
  | 'person'
  | 'person_invitation'
  | 'passkey'
  | 'zone_template'
  | 'brand_host';

/** Ids that do not exist, as long as the real ones. */
export const missingIds: Readonly<Record<Noun, string>> = {
  reseller: '999801',
  customer: '999802',
  contact: '999803',
  key: 'key_06zzzzzzzzzzzzzzzzzzzzzzzz',
  domain: '999804',
  name: 'nobody-name.com',
  transaction: '999805',
  quote: 'quote_06zzzzzzzzzzzzzzzzzzzzzzzz',
  operation: 'op_06zzzzzzzzzzzzzzzzzzzzzzzz',
  notice: 'ntc_06zzzzzzzzzzzzzzzzzzzzzzzz',
  invoice: 'doc_06zzzzzzzzzzzzzzzzzzzzzzzz',
  payment: 'pay_06zzzzzzzzzzzzzzzzzzzzzzzz',
  mail_target: 'mtg_06zzzzzzzzzzzzzzzzzzzzzzzz',
  session: 'ses_06zzzzzzzzzzzzzzzzzzzzzzzz',
  person: 'per_06zzzzzzzzzzzzzzzzzzzzzzzz',
  person_invitation: 'code_06zzzzzzzzzzzzzzzzzzzzzzzz',
  passkey: 'pky_06zzzzzzzzzzzzzzzzzzzzzzzz',
  zone_template: 'tpl_06zzzzzzzzzzzzzzzzzzzzzzzz',
  brand_host: 'panel.nobody.example',
};

/** The noun of a parameter. */
export const nounOf: Readonly<Record<string, Noun>> = {
  reseller_id: 'reseller',
  new_reseller_id: 'reseller',
  customer_id: 'customer',
  existing_customer_id: 'customer',
  new_customer_id: 'customer',
  contact_id: 'contact',
  registrant_contact_id: 'contact',
  admin_contact_id: 'contact',
  tech_contact_id: 'contact',
  billing_contact_id: 'contact',
  key_id: 'key',
  domain_id: 'domain',
  order_id: 'domain',
  transaction_id: 'transaction',
  quote_id: 'quote',
  operation_id: 'operation',
  move_id: 'operation',
  notice_id: 'notice',
  invoice_id: 'invoice',
  payment_id: 'payment',
  mail_target_id: 'mail_target',
  session_id: 'session',
  person_id: 'person',
  user_id: 'person',
  person_invitation_id: 'person_invitation',
  user_invitation_id: 'person_invitation',
  passkey_id: 'passkey',
  template_id: 'zone_template',
  brand_host: 'brand_host',
  from_domain_id: 'domain',
};

/** Parameters without an owner, with a valid value. */
export const neutral: Readonly<Record<string, string>> = {
  country_code: 'US',
  symbol: 'USD',
  type: 'registraragreement',
  name: 'com',
  tld: 'com',
  eligibility_criteria: 'us',
  hostname: 'www.example.net',
  old_hostname: 'www.example.net',
  value: '192.0.2.1',
  old_value: '192.0.2.1',
  old_port: '5060',
  old_weight: '5',
  old_priority: '10',
  ip_address: '192.0.2.53',
  old_ip_address: '192.0.2.53',
  serial: '1790000000',
  keytag: '12345',
  algorithm: '13',
  digesttype: '2',
  digest: 'ab'.repeat(32),
  email: 'info@example.net',
  kind: 'domain_expired',
  language: 'en',
  provider: 'bank_transfer',
  registry_id: 'sandbox',
};

/** Contained in all objects of the other reseller; it must not appear in an answer to others. */
export const mark = 'zebra';

async function rowsOf(
  t: TestService,
  { resellerId, customerId }: { resellerId: string; customerId: string },
  domain: { id: string; name: string },
  word: string,
) {
  const now = t.ctx.clock.now();
  const later = new Date(now.getTime() + 600_000);
  const quote = t.ctx.ids.next('quote');
  const operation = t.ctx.ids.next('op');
  const notice = t.ctx.ids.next('ntc');
  const invoice = t.ctx.ids.next('doc');
  const payment = t.ctx.ids.next('pay');
  const mail_target = t.ctx.ids.next('mtg');
  const zone_template = t.ctx.ids.next('tpl');
  const brand_host = `panel.${word}.example`;
  await t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`
      insert into quote (id, reseller_id, kind, domain_name, years, lines, total, currency, what_happens, valid_until, created_at)
      values (${quote}, ${resellerId}, 'register', ${domain.name}, 1, '[]', 1000, 'USD', ${word}, ${later}, ${now})`);
    await tx.run(sql`
      insert into operation (id, reseller_id, kind, domain_id, request, state, due_at, created_at, updated_at, finished_at)
      values (${operation}, ${resellerId}, 'register', ${domain.id}, ${JSON.stringify({ name: domain.name })}, 'done', ${now}, ${now},
              ${now}, ${now})`);
    await tx.run(sql`
      insert into notice (id, reseller_id, kind, domain_id, address, recipient, language, sender_name, subject, body_text, body_html, state, created_at)
      values (${notice}, ${resellerId}, 'domain_expired', ${domain.id}, ${`${word}@customer.example`}, ${word}, 'en', ${word}, ${word}, ${word}, ${word},
              'sent', ${now})`);
    const party = JSON.stringify({ name: word, address: [word], country_code: 'ID', tax_id: null, email: null });
    await tx.run(sql`
      insert into invoice (id, kind, reseller_id, child_id, period, state, series, place, number, issued_at, issued_on, due_on, currency, net, tax,
                           seller, buyer, lines, taxes, created_at)
      values (${invoice}, 'invoice', ${resellerId}, ${resellerId}, '2026-01-01', 'open', ${word}, 1, ${`${word}1`}, ${now}, '2026-02-01', '2026-02-15',
              'USD', 1000, 0, ${party}, ${party}, '[]', '[]', ${now})`);
    await tx.run(sql`
      insert into expected_payment (id, reseller_id, customer_id, provider, reference, amount, currency, description, state, created_at)
      values (${payment}, ${resellerId}, ${customerId}, 'bank_transfer', ${makeReference(t.ctx.ids)}, 1000, 'USD', ${word}, 'open', ${now})`);
    await tx.run(sql`
      insert into mail_target (id, reseller_id, customer_id, address, state, created_at)
      values (${mail_target}, ${resellerId}, ${customerId}, ${`${word}@elsewhere.example`}, 'confirmed', ${now})`);
    await tx.run(sql`
      insert into zone_template (id, reseller_id, is_shared, name, description, variables, rrsets, created_at, updated_at)
      values (${zone_template}, ${resellerId}, true, ${word}, ${word}, '[]', ${JSON.stringify([{ name: word, type: 'A', records: ['192.0.2.1'] }])}, ${now}, ${now})`);
    await tx.run(sql`
      insert into brand_host (reseller_id, host, proof, created_at) values (${resellerId}, ${brand_host}, ${word}, ${now})`);
  });
  return { quote, operation, notice, invoice, payment, mail_target, zone_template, brand_host };
}

/** Creates one object of each noun in an account; `word` is contained in all of them. */
export async function furnish(t: TestService, credentials: string, word: string): Promise<Tenancy> {
  const reseller = credentials.split(':')[0]!;
  const named = { name: `${word} Person`, company: `${word} Company`, email: `${word}@customer.example` };
  const customer = await makeCustomer(t, credentials, named);
  const contact = await makeContact(t, customer, credentials, named);
  const made = await t.call('POST', '/v1/account/keys', {
    json: { label: `${word} key`, ip_whitelist: ['192.0.2.10'] },
    as: credentials,
  });
  const name = `${word}-name.com`;
  const id = await insertDomainRow(t, { resellerId: reseller, customerId: customer, contactId: contact, name });
  const funded = await t.call('POST', `/v1/resellers/${reseller}/transactions/fund`, {
    form: { amount: '10', description: `${word} money` },
    as: t.operator,
  });
  if (funded.status !== 200) throw new Error(funded.text);
  const owner = { resellerId: reseller, customerId: customer };
  const rows = await rowsOf(t, owner, { id, name }, word);
  const session = await openSession(t, reseller, { email: `${word}@people.example` });
  const own = await t.call('GET', '/v1/session', { session });
  const passkey = t.ctx.ids.next('pky');
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into passkey (id, person_id, credential_id, public_key, counter, transports, name, created_at)
      values (${passkey}, ${own.body.person.person_id}, ${passkey}, '\\x00', 0, '{}', ${word}, now())`),
  );
  const invitation = { email: `${word}-staff@people.example`, role: 'read_only' };
  const invited = await t.call('POST', '/v1/people', { session, json: invitation });
  return {
    credentials,
    session,
    nouns: {
      reseller,
      customer,
      contact,
      key: made.body.key_id as string,
      domain: id,
      name,
      transaction: funded.body.transaction_id as string,
      ...rows,
      session: own.body.session_id as string,
      person: own.body.person.person_id as string,
      person_invitation: invited.body.person_invitation_id as string,
      passkey,
    },
  };
}

/** The caller, and a stranger beside it. */
export async function twoTenants(t: TestService): Promise<{ own: Tenancy; other: Tenancy }> {
  const own = await furnish(t, await keyFor(t, '1000'), 'lemur');
  const other = await furnish(t, await makeReseller(t), mark);
  return { own, other };
}
