import { z } from 'zod';
import type { Contact } from '../../../core/model/contact.ts';
import { countryName } from '../../../core/reference/country.ts';
import { eppPhone } from '../../../core/reference/phone.ts';
import { contractTime } from '../../wire.ts';
import { partyExample } from '../common/party-fields.ts';

/** The contact object of the contract (section 6.3). `country` is the English name, which panels map back to a code. */
export const contactView = z
  .object({
    contact_id: z.string(),
    customer_id: z.string(),
    status: z.enum(['Active', 'InActive', 'Suspended']),
    name: z.string(),
    company: z.string(),
    email: z.string(),
    address_line_1: z.string(),
    address_line_2: z.string(),
    address_line_3: z.string(),
    city: z.string(),
    state: z.string(),
    country: z.string(),
    country_code: z.string(),
    zipcode: z.string(),
    tel_cc_no: z.string(),
    tel_no: z.string(),
    tel_no_cc: z.string().describe('The same as tel_cc_no.'),
    fax_cc_no: z.string().nullable(),
    fax_no: z.string().nullable(),
    fax_no_cc: z.string().nullable().describe('The same as fax_cc_no.'),
    phone: z.string().describe('Telephone number in registry format: +CC.number.'),
    has_latin_form: z.boolean().describe('False: registries that accept only ASCII will refuse this contact.'),
    eligibility_criteria: z.array(z.string()).nullable(),
    extra: z.record(z.string(), z.string()).nullable(),
    creation_date: z.string(),
  })
  .meta({ id: 'Contact', description: 'A contact of a customer.' });

type ContactView = z.output<typeof contactView>;

export function showContact(contact: Contact): ContactView {
  return {
    contact_id: contact.id,
    customer_id: contact.customer_id,
    status: contact.status,
    name: contact.name,
    company: contact.company,
    email: contact.email,
    address_line_1: contact.address_line_1,
    address_line_2: contact.address_line_2,
    address_line_3: contact.address_line_3,
    city: contact.city,
    state: contact.state,
    country: countryName(contact.country_code),
    country_code: contact.country_code,
    zipcode: contact.zipcode,
    tel_cc_no: contact.tel_cc_no,
    tel_no: contact.tel_no,
    tel_no_cc: contact.tel_cc_no,
    fax_cc_no: contact.fax_cc_no,
    fax_no: contact.fax_no,
    fax_no_cc: contact.fax_cc_no,
    phone: eppPhone(contact.tel_cc_no, contact.tel_no),
    has_latin_form: contact.latin !== null,
    eligibility_criteria: contact.eligibility_criteria.length > 0 ? contact.eligibility_criteria : null,
    extra: Object.keys(contact.extra).length > 0 ? { ...contact.extra } : null,
    creation_date: contractTime(contact.created_at),
  };
}

export const contactExample: ContactView = {
  contact_id: '3001',
  customer_id: '2001',
  status: 'Active',
  ...partyExample,
  address_line_2: '',
  address_line_3: '',
  country: 'Indonesia',
  tel_no_cc: '62',
  fax_cc_no: null,
  fax_no: null,
  fax_no_cc: null,
  phone: '+62.2150001000',
  has_latin_form: true,
  eligibility_criteria: null,
  extra: null,
  creation_date: '2026-11-15 09:00:00',
};
