import { makeContact, makeCustomer } from '../support/parties.ts';
import { makeReseller } from '../support/resellers.ts';
import type { TestService } from '../support/service.ts';

/** A reseller that can buy: it has money, a customer and a contact. */
export interface Trader {
  readonly credentials: string;
  readonly resellerId: string;
  readonly customerId: string;
  readonly contactId: string;
  /** The resellers that pay for its purchases, itself first. */
  readonly chain: readonly string[];
}

const markUps = ['10', '7.5', '33.33'];

/** `direct` resellers of the operator; below the first of them a chain of `depth` sub-resellers, each with its margin. */
export async function makeTraders(
  t: TestService,
  direct: number,
  depth: number,
  funds = '1000000.00',
): Promise<Trader[]> {
  const traders: Trader[] = [];
  for (let made = 0; made < direct; made++) traders.push(await makeTrader(t, t.operator, [], funds));
  let parent = traders[0]!;
  for (let level = 0; level < depth; level++) {
    const rules = [{ kind: 'percent', percent: markUps[level % markUps.length] }];
    const set = await t.call('PUT', '/v1/account/price_rules', {
      json: { audience: 'reseller', rules },
      as: parent.credentials,
    });
    if (set.status !== 200) throw new Error(set.text);
    parent = await makeTrader(t, parent.credentials, parent.chain, funds);
    traders.push(parent);
  }
  return traders;
}

async function makeTrader(t: TestService, parent: string, chain: readonly string[], funds: string): Promise<Trader> {
  const credentials = await makeReseller(t, parent);
  const resellerId = credentials.split(':')[0]!;
  const form = { amount: funds, description: 'opening balance' };
  const funded = await t.call('POST', `/v1/resellers/${resellerId}/transactions/fund`, { form, as: parent });
  if (funded.status !== 200) throw new Error(funded.text);
  const customerId = await makeCustomer(t, credentials);
  const contactId = await makeContact(t, customerId, credentials);
  return { credentials, resellerId, customerId, contactId, chain: [resellerId, ...chain] };
}

export function registration(trader: Trader, name: string, years = 1): Record<string, string> {
  return {
    domain_name: name,
    customer_id: trader.customerId,
    registrant_contact_id: trader.contactId,
    admin_contact_id: trader.contactId,
    tech_contact_id: trader.contactId,
    billing_contact_id: trader.contactId,
    years: String(years),
    invoice_option: 'no_invoice',
  };
}
