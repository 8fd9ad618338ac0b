import type { Caller, Installation } from '../faults/world.ts';
import { operatorList, operatorRules, rulesBelow } from './oracle/price-table.ts';

/** A reseller of the chain: each buys from the previous one (docs/guide/sub-resellers.md). */
export interface Trader {
  readonly level: number;
  readonly resellerId: string;
  readonly caller: Caller | 'demo';
  readonly customerId: string;
  /** The customer that gets moved domains. */
  readonly otherCustomerId: string;
  readonly contacts: readonly [string, string];
}

const password = 'a long enough one';
/** Far more than any run spends. */
const funds = '9000000.00';

const person = (email: string): Record<string, string> => ({
  email,
  name: 'Sari Dewi',
  company: 'Dewi Batik',
  address_line_1: 'Jalan Melati 5',
  city: 'Bandung',
  state: 'Jawa Barat',
  country_code: 'ID',
  zipcode: '40111',
  tel_cc_no: '62',
  tel_no: '227654321',
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
async function must(called: ReturnType<Installation['call']>, what: string): Promise<any> {
  const { status, body } = await called;
  if (status !== 200) throw new Error(`${what} was refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Prices of the oracle's table, and three resellers in a chain, each with money, a customer and contacts. */
export async function openChain(installation: Installation): Promise<Trader[]> {
  const put = (path: string, json: object, as: Caller | 'demo' | 'operator') =>
    must(installation.call('PUT', path, { json, as }), path);
  await put('/v1/account/price_list', operatorList(), 'operator');
  await put('/v1/account/price_rules', operatorRules(), 'operator');
  const chain: Trader[] = [
    {
      level: 0,
      resellerId: '1000',
      caller: 'demo',
      customerId: '2001',
      otherCustomerId: await openCustomer(installation, 'demo', 'other0@chain.example'),
      contacts: ['3001', '3002'],
    },
  ];
  await fundBy(installation, 'operator', '1000');
  for (let level = 1; level < 3; level++) {
    const parent = chain[level - 1] as Trader;
    await put('/v1/account/price_rules', rulesBelow(level - 1), parent.caller);
    chain.push(await openTrader(installation, parent));
  }
  return chain;
}

const fundBy = (installation: Installation, as: Caller | 'demo' | 'operator', resellerId: string) =>
  must(
    installation.call('POST', `/v1/resellers/${resellerId}/transactions/fund`, {
      form: { amount: funds, description: 'money for the simulation' },
      as,
    }),
    'a deposit',
  );

export async function openContact(
  installation: Installation,
  as: Caller | 'demo',
  customerId: string,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<string> {
  const form = { ...person(email), name };
  const path = `/v1/customers/${customerId}/contacts`;
  return (await must(installation.call('POST', path, { form, as }), 'a contact')).contact_id as string;
}

async function openCustomer(installation: Installation, as: Caller | 'demo', email: string): Promise<string> {
  const form = { ...person(email), password };
  return (await must(installation.call('POST', '/v1/customers', { form, as }), 'a customer')).customer_id as string;
}

async function openTrader(installation: Installation, parent: Trader): Promise<Trader> {
  const level = parent.level + 1;
  const as = parent.caller;
  const form = { ...person(`level${level}@chain.example`), password, selling_currency: 'USD' };
  const { reseller_id } = await must(installation.call('POST', '/v1/resellers', { form, as }), 'a reseller');
  await fundBy(installation, as, reseller_id);
  const invited = installation.call('POST', `/v1/resellers/${reseller_id}/invitations`, { json: {}, as });
  const { token } = await must(invited, 'an invitation');
  const json = { token, password, label: 'first key', ip_whitelist: ['127.0.0.1', '::1'] };
  const { api_key } = await must(installation.call('POST', '/v1/invitations/accept', { json }), 'the first key');
  const caller = { reseller_id, api_key } as Caller;
  const customerId = await openCustomer(installation, caller, `buyer${level}@chain.example`);
  const contact = (name: string) =>
    openContact(installation, caller, customerId, { email: `holder${level}@chain.example`, name });
  return {
    level,
    resellerId: reseller_id as string,
    caller,
    customerId,
    otherCustomerId: await openCustomer(installation, caller, `other${level}@chain.example`),
    contacts: [await contact('Budi Santoso'), await contact('Tri Wahyuni')],
  };
}
