import { formatMoney, money } from '@namehold/base';
import { z } from 'zod';
import type { Reseller } from '../../../core/accounts/account.ts';
import { demoAddress, demoReseller } from '../../../core/composition/first-accounts.ts';
import { formerField } from '../../aliases.ts';
import { contractTime } from '../../wire.ts';
import { addressView, noFurtherPhones, showAddress } from '../common/address-view.ts';

/** The reseller object of the contract (section 6.8). */
export const resellerView = z
  .object({
    reseller_id: z.string(),
    parent_reseller_id: z.string().nullable(),
    status: z.string(),
    email: z.string(),
    name: z.string(),
    brand_name: z.string().nullable(),
    company: z.string(),
    creation_date: z.string(),
    total_receipts: z.string(),
    ...addressView,
    selling_currency: z.string(),
    accounting_currency: z.string(),
    parentselling_currency: z.string().nullable(),
    lang_id: z.string(),
    manages_registrants: z.boolean(),
    looks_after_holders: formerField(z.boolean(), 'manages_registrants'),
  })
  .meta({ id: 'Reseller', description: 'A reseller account.' });

export function showReseller(reseller: Reseller): z.output<typeof resellerView> {
  return {
    reseller_id: reseller.id,
    parent_reseller_id: reseller.parent_id,
    status: reseller.status,
    email: reseller.email,
    name: reseller.name,
    brand_name: reseller.brand_name,
    company: reseller.company,
    creation_date: contractTime(reseller.created_at),
    total_receipts: formatMoney(money(BigInt(reseller.total_receipts), reseller.selling_currency)),
    ...showAddress(reseller),
    selling_currency: reseller.selling_currency,
    accounting_currency: reseller.accounting_currency,
    parentselling_currency: reseller.parent_selling_currency,
    lang_id: reseller.lang_id,
    manages_registrants: reseller.looks_after_holders,
    looks_after_holders: reseller.looks_after_holders,
  };
}

export const resellerExample: z.output<typeof resellerView> = {
  reseller_id: '1000',
  parent_reseller_id: '1',
  status: 'Active',
  ...demoReseller,
  brand_name: null,
  creation_date: '2026-11-15 09:00:00',
  total_receipts: '0.00',
  address_line_1: demoAddress.street,
  address_line_2: '',
  address_line_3: '',
  city: demoAddress.city,
  state: demoAddress.state,
  country_code: demoAddress.country,
  country_name: 'United Kingdom',
  zipcode: demoAddress.zipcode,
  tel_cc_no: demoAddress.callingCode,
  tel_no: demoAddress.phone,
  ...noFurtherPhones,
  selling_currency: 'USD',
  accounting_currency: 'USD',
  parentselling_currency: 'USD',
  lang_id: 'English',
  manages_registrants: false,
  looks_after_holders: false,
};
