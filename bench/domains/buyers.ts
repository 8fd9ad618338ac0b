import { allTenants } from '@namehold/postgres';
import { systemActor } from '../../packages/server/src/core/actors.ts';
import { addKey } from '../../packages/server/src/core/keys/create.ts';
import type { Stage } from './stage.ts';

export interface Buyer {
  readonly credentials: string;
  readonly resellerId: string;
  readonly customerId: string;
  readonly contactId: string;
}

const person = (email: string) => ({
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

/** Resellers of the operator with money, a customer and a contact each. */
export async function makeBuyers(stage: Stage, count: number): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  for (let n = 0; n < count; n++) buyers.push(await makeBuyer(stage, n));
  return buyers;
}

async function makeBuyer(stage: Stage, n: number): Promise<Buyer> {
  const post = async (as: string, path: string, form: Record<string, string>) => {
    const { status, body } = await stage.call(as, 'POST', path, { form });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const password = 'a long enough one';
  const reseller = { ...person(`reseller${n}@bench.example`), password, selling_currency: 'USD' };
  const { reseller_id: resellerId } = await post(stage.operator, '/v1/resellers', reseller);
  const key = await stage.ctx.db.transaction(allTenants, (tx) =>
    addKey(stage.ctx, tx, systemActor, resellerId, { label: 'bench', whitelist: ['127.0.0.1'], scopes: ['full'] }),
  );
  const funds = { amount: '10000000.00', description: 'bench' };
  await post(stage.operator, `/v1/resellers/${resellerId}/transactions/fund`, funds);
  const credentials = `${resellerId}:${key.secret}`;
  const customer = { ...person(`customer${n}@bench.example`), password };
  const { customer_id: customerId } = await post(credentials, '/v1/customers', customer);
  const contact = person(`contact${n}@bench.example`);
  const { contact_id: contactId } = await post(credentials, `/v1/customers/${customerId}/contacts`, contact);
  return { credentials, resellerId, customerId, contactId };
}

/** Until the caller reads "Completed": HTTP in, EPP over TLS out, ledger, zone, events. */
export async function buy(stage: Stage, buyer: Buyer, name: string, at?: string): Promise<void> {
  const { status, body } = await stage.call(buyer.credentials, 'POST', '/v1/domains', {
    form: registration(buyer, name),
    headers: { 'Idempotency-Key': name },
    ...(at === undefined ? {} : { at }),
  });
  if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
}

export function registration(buyer: Buyer, name: string): Record<string, string> {
  return {
    domain_name: name,
    customer_id: buyer.customerId,
    registrant_contact_id: buyer.contactId,
    admin_contact_id: buyer.contactId,
    tech_contact_id: buyer.contactId,
    billing_contact_id: buyer.contactId,
    invoice_option: 'no_invoice',
  };
}
