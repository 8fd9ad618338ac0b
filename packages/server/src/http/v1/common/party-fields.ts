import type { z } from 'zod';
import { demoCustomer } from '../../../core/composition/first-accounts.ts';
import { type PartyInput, partyLimits } from '../../../core/reference/party.ts';
import { text } from '../../field.ts';

const line = (about: string, example?: string) =>
  text({ max: partyLimits.lineLength, about, ...(example === undefined ? {} : { example }) });
const callingCode = (about: string, example?: string) =>
  text({ max: partyLimits.callingCodeLength, about, ...(example === undefined ? {} : { example }) });
const number = (about: string, example?: string) =>
  text({ max: partyLimits.phoneLength, about, ...(example === undefined ? {} : { example }) });

const state = line('State or province, by name or code. "Not Applicable" if there is none.', 'Jakarta Raya');

/** Resellers are businesses, so they have a company. */
export const company = line('Company.', 'Santoso Coffee');

/** Name, address, telephone and fax: the fields of a contact. */
export const contactPartyFields = {
  name: line('Full name.', 'Budi Santoso'),
  company: line('Company. Empty or "Not Applicable" for a natural person.', 'Santoso Coffee').optional(),
  email: text({ max: partyLimits.emailLength, about: 'Email address.', example: 'budi@customer.example' }),
  address_line_1: line('Street and number.', 'Jalan Contoh 1'),
  address_line_2: line('Second line of the address.').optional(),
  address_line_3: line('Third line of the address.').optional(),
  city: line('City.', 'Jakarta'),
  state: state.optional(),
  country_code: text({ max: 2, about: 'ISO 3166-1 alpha-2 country code, in any case.', example: 'ID' }),
  zipcode: text({
    max: partyLimits.postalCodeLength,
    about: 'Postal code, checked against the country.',
    example: '10110',
  }),
  tel_cc_no: callingCode('Country calling code of the telephone number.', '62'),
  tel_no: number('Telephone number without the country calling code.', '2150001000'),
  fax_cc_no: callingCode('Country calling code of the fax number.').optional(),
  fax_no: number('Fax number.').optional(),
};

/** Customers and resellers have more telephone numbers, and must send the state. */
export const partyFields = {
  ...contactPartyFields,
  state,
  alt_tel_cc_no: callingCode('Country calling code of the second telephone number.').optional(),
  alt_tel_no: number('Second telephone number.').optional(),
  mobile_cc_no: callingCode('Country calling code of the mobile number.').optional(),
  mobile_no: number('Mobile number.').optional(),
};

type SentContact = z.output<z.ZodObject<typeof contactPartyFields>>;
type Sent = SentContact & Omit<Partial<z.output<z.ZodObject<typeof partyFields>>>, keyof SentContact>;

/** The sent fields, in the names of the core. */
export function partyOf(sent: Sent): PartyInput {
  return {
    email: sent.email,
    name: sent.name,
    company: sent.company ?? '',
    street: [sent.address_line_1, sent.address_line_2, sent.address_line_3],
    city: sent.city,
    state: sent.state,
    country: sent.country_code,
    postalCode: sent.zipcode,
    phone: { callingCode: sent.tel_cc_no, number: sent.tel_no },
    secondPhone: { callingCode: sent.alt_tel_cc_no, number: sent.alt_tel_no },
    mobile: { callingCode: sent.mobile_cc_no, number: sent.mobile_no },
    fax: { callingCode: sent.fax_cc_no, number: sent.fax_no },
  };
}

/** The demo customer, as an input that works on a new installation. */
export const partyExample = {
  name: demoCustomer.name,
  company: demoCustomer.company,
  email: demoCustomer.email,
  address_line_1: demoCustomer.street[0],
  city: demoCustomer.city,
  state: demoCustomer.state,
  country_code: demoCustomer.country,
  zipcode: demoCustomer.postalCode,
  tel_cc_no: demoCustomer.phone.callingCode,
  tel_no: demoCustomer.phone.number,
};
