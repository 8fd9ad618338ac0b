import { allTenants } from '@namehold/postgres';
import { type FirstAddress, hasReseller, insertFirstReseller } from '../accounts/first-accounts.sql.ts';
import { hashPassword } from '../accounts/password.ts';
import { operatorId, systemActor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { addContact } from '../contacts/create.ts';
import { addCustomer } from '../customers/create.ts';
import { addKey } from '../keys/create.ts';
import { listContacts } from '../tables/contact.sql.ts';

export interface FirstAccounts {
  readonly operator: { resellerId: string; apiKey: string };
  readonly demo: { resellerId: string; apiKey: string; customerId: string; contactIds: string[] };
}

/** The examples in the documents use the same data. */
export const demoCustomer = {
  email: 'budi@customer.example',
  name: 'Budi Santoso',
  company: 'Santoso Coffee',
  street: ['Jalan Contoh 1'],
  city: 'Jakarta',
  state: 'Jakarta Raya',
  country: 'ID',
  postalCode: '10110',
  phone: { callingCode: '62', number: '2150001000' },
} as const;

const demoTechnician = {
  ...demoCustomer,
  email: 'tech@customer.example',
  name: 'Tri Wahyuni',
  phone: { callingCode: '62', number: '2150001001' },
};

const loopback = ['127.0.0.0/8', '::1'];

/** The seller that the demo reseller's documents show. */
export const demoReseller = { email: 'demo@reseller.example', name: 'Dewi Demo', company: 'Demo Reseller Ltd' };

export const demoAddress: FirstAddress = {
  street: '1 Example Street',
  city: 'London',
  state: 'Greater London',
  country: 'GB',
  zipcode: 'SW1A 1AA',
  callingCode: '44',
  phone: '2079460000',
  currency: 'USD',
};

/** ISO 3166 keeps ZZ free for "unknown": an operator sets its own with `namehold operator change`. */
const noAddress: FirstAddress = {
  street: '',
  city: '',
  state: '',
  country: 'ZZ',
  zipcode: '',
  callingCode: '',
  phone: '',
  currency: '',
};

export function hasAccounts(ctx: AppContext): Promise<boolean> {
  return hasReseller(ctx.db.as(allTenants), operatorId);
}

/** The root reseller, which every installation has. Only its currency is set, from the settings. */
export async function createOperator(ctx: AppContext): Promise<void> {
  const { operatorCurrency: currency } = ctx.config;
  await ctx.db.transaction(allTenants, (tx) =>
    insertFirstReseller(tx, ctx.clock.now(), {
      id: operatorId,
      parentId: null,
      email: '',
      name: '',
      company: '',
      ...noAddress,
      currency,
    }),
  );
}

/** Sandbox mode: an operator, a demo reseller and a key for each, usable from this machine only. */
export async function createDemoAccounts(ctx: AppContext): Promise<FirstAccounts> {
  const demoId = '1000';
  // This password is random and not shown: a temporary one can be requested.
  const passwordHash = await hashPassword(ctx.ids.text(32, 'abcdefghjkmnpqrstuvwxyz23456789'), systemActor);
  return ctx.db.transaction(allTenants, async (tx) => {
    await insertFirstReseller(tx, ctx.clock.now(), {
      id: operatorId,
      parentId: null,
      email: 'operator@namehold.example',
      name: 'Operator',
      company: 'Namehold Operator',
      ...demoAddress,
    });
    await insertFirstReseller(tx, ctx.clock.now(), {
      id: demoId,
      parentId: operatorId,
      ...demoReseller,
      ...demoAddress,
    });
    const label = 'Created at first start';
    const operator = await addKey(ctx, tx, systemActor, operatorId, { label, whitelist: loopback });
    const demo = await addKey(ctx, tx, systemActor, demoId, { label, whitelist: loopback });
    const customer = await addCustomer(ctx, tx, systemActor, demoId, demoCustomer, passwordHash);
    const { rows } = await listContacts(tx, demoId, customer.id, {}, { limit: 1, offset: 0 });
    const technician = await addContact(ctx, tx, systemActor, demoId, customer.id, demoTechnician);
    return {
      operator: { resellerId: operatorId, apiKey: operator.secret },
      demo: {
        resellerId: demoId,
        apiKey: demo.secret,
        customerId: customer.id,
        contactIds: [rows[0]!.id, technician.id],
      },
    };
  });
}
