import type { TestService } from './service.ts';

/** Name and address that pass every check, as form fields. */
export function person(changes: Record<string, string> = {}): Record<string, string> {
  return {
    email: 'sari@customer.example',
    name: 'Sari Dewi',
    company: 'Dewi Batik',
    address_line_1: 'Jalan Melati 5',
    city: 'Bandung',
    state: 'Jawa Barat',
    country_code: 'ID',
    zipcode: '40111',
    tel_cc_no: '62',
    tel_no: '227654321',
    ...changes,
  };
}

let made = 0;

/** Creates a customer with its own address and returns its id. */
export async function makeCustomer(
  t: Pick<TestService, 'call'>,
  as?: string,
  changes: Record<string, string> = {},
): Promise<string> {
  made += 1;
  const form = person({ email: `customer${made}@made.example`, password: 'a long enough one', ...changes });
  const called = await t.call('POST', '/v1/customers', { form, ...(as ? { as } : {}) });
  if (called.status !== 200) throw new Error(called.text);
  return called.body.customer_id as string;
}

export async function makeContact(
  t: Pick<TestService, 'call'>,
  customerId: string,
  as?: string,
  changes: Record<string, string> = {},
): Promise<string> {
  const form = person(changes);
  const called = await t.call('POST', `/v1/customers/${customerId}/contacts`, { form, ...(as ? { as } : {}) });
  if (called.status !== 200) throw new Error(called.text);
  return called.body.contact_id as string;
}
