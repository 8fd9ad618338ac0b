import { formatMoney, money } from '@namehold/base';
import { z } from 'zod';
import type { Customer } from '../../../core/customers/customer.ts';
import { contractTime } from '../../wire.ts';
import { addressView, noFurtherPhones, showAddress } from '../common/address-view.ts';
import { partyExample } from '../common/party-fields.ts';

/** The customer object of the contract (section 6.2) with all 25 keys. */
export const customerView = z
  .object({
    customer_id: z.string(),
    reseller_id: z.string(),
    status: z.enum(['Active', 'Suspended']),
    email: z.string(),
    name: z.string(),
    company: z.string(),
    creation_date: z.string(),
    total_receipts: z.string(),
    ...addressView,
    lang_id: z.string(),
  })
  .meta({ id: 'Customer', description: 'A customer.' });

export function showCustomer(customer: Customer): z.output<typeof customerView> {
  return {
    customer_id: customer.id,
    reseller_id: customer.reseller_id,
    status: customer.status,
    email: customer.email,
    name: customer.name,
    company: customer.company,
    creation_date: contractTime(customer.created_at),
    total_receipts: formatMoney(money(BigInt(customer.total_receipts), customer.currency)),
    ...showAddress(customer),
    lang_id: customer.lang_id,
  };
}

export const customerExample: z.output<typeof customerView> = {
  customer_id: '2001',
  reseller_id: '1000',
  status: 'Active',
  ...partyExample,
  creation_date: '2026-11-15 09:00:00',
  total_receipts: '80.00',
  address_line_2: '',
  address_line_3: '',
  country_name: 'Indonesia',
  ...noFurtherPhones,
  lang_id: 'English',
};
