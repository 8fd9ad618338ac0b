import { z } from 'zod';
import { countryName } from '../../../core/reference/country.ts';
import type { Party } from '../../../core/reference/party.ts';

/** Address and telephone fields of customers and resellers, as in the contract. */
export const addressView = {
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
};

type Address = z.output<z.ZodObject<typeof addressView>>;

export function showAddress(party: Party): Address {
  return {
    address_line_1: party.address_line_1,
    address_line_2: party.address_line_2,
    address_line_3: party.address_line_3,
    city: party.city,
    state: party.state,
    country_code: party.country_code,
    country_name: countryName(party.country_code),
    zipcode: party.zipcode,
    tel_cc_no: party.tel_cc_no,
    tel_no: party.tel_no,
    alt_tel_cc_no: party.alt_tel_cc_no,
    alt_tel_no: party.alt_tel_no,
    mobile_cc_no: party.mobile_cc_no,
    mobile_no: party.mobile_no,
    fax_cc_no: party.fax_cc_no,
    fax_no: party.fax_no,
  };
}

export const noFurtherPhones = {
  alt_tel_cc_no: null,
  alt_tel_no: null,
  mobile_cc_no: null,
  mobile_no: null,
  fax_cc_no: null,
  fax_no: null,
} as const;
