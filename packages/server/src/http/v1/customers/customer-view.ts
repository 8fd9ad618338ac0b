import { formatMoney, money } from '@namehold/base';
import { z } from 'zod';
import type { Customer } from '../../../core/customers/customer.ts';
import { countryName } from '../../../core/reference/country.ts';
import { contractTime } from '../../wire.ts';
import { partyExample } from '../common/party-fields.ts';

/** The customer object of the contract (section 6.2), all 25 keys. */
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
    address_line_1: z.string(),
    address_line_2: z.string(),
    address_line_3: z.string(),
    city: z.string(),
    state: z.string(),
    country_code: z.string(),
    country_name: z.string(),
    zipcode: z.string(),
    tel_cc_no: z.string(),
    tel_no: z.string(),
    alt_tel_cc_no: z.string().nullable(),
    alt_tel_no: z.string().nullable(),
    mobile_cc_no: z.string().nullable(),
    mobile_no: z.string().nullable(),
    fax_cc_no: z.string().nullable(),
    fax_no: z.string().nullable(),
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
    address_line_1: customer.address_line_1,
    address_line_2: customer.address_line_2,
    address_line_3: customer.address_line_3,
    city: customer.city,
    state: customer.state,
    country_code: customer.country_code,
    country_name: countryName(customer.country_code),
    zipcode: customer.zipcode,
    tel_cc_no: customer.tel_cc_no,
    tel_no: customer.tel_no,
    alt_tel_cc_no: customer.alt_tel_cc_no,
    alt_tel_no: customer.alt_tel_no,
    mobile_cc_no: customer.mobile_cc_no,
    mobile_no: customer.mobile_no,
    fax_cc_no: customer.fax_cc_no,
    fax_no: customer.fax_no,
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
  alt_tel_cc_no: null,
  alt_tel_no: null,
  mobile_cc_no: null,
  mobile_no: null,
  fax_cc_no: null,
  fax_no: null,
  lang_id: 'English',
};
