import { z } from 'zod';
import { issueCustomerPassword } from '../../../core/customers/temp-password.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';

export const customerPasswordRoute = route({
  method: 'GET',
  path: '/customers/temp_password',
  sudo: true,
  area: 'customers',
  // A GET that changes the credentials of the account.
  scope: 'customers:write',
  style: 'contract',
  secret: true,
  cost: 10,
  summary: 'Issue a temporary customer password',
  description:
    "Creates a temporary password in addition to the customer's own. It is valid for three days, or until another one is issued. The response is never cached.",
  input: z.object({ customer_id: id('Id of the customer.') }),
  output: z.object({ customer_id: z.string(), temp_password: z.string(), expires_at: z.string() }),
  errors: [],
  example: {
    input: { customer_id: '2001' },
    output: { customer_id: '2001', temp_password: 'w7Rt3mQxK9hPzB4n', expires_at: '2026-11-18T09:00:00Z' },
  },
  async answer(ctx, caller, input) {
    const issued = await issueCustomerPassword(ctx, caller, input.customer_id);
    return { customer_id: issued.id, temp_password: issued.password, expires_at: instantText(issued.expiresAt) };
  },
});
