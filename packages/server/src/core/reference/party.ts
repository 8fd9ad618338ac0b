import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { type FieldProblem, Refusal } from '../errors.ts';
import { countryName, readCountry } from './country.ts';
import { readEmail } from './email.ts';
import { readPhone } from './phone.ts';
import { readState } from './state.ts';
import { ValueProblem } from './value-problem.ts';

/** RFC 5733 section 4: postal codes have at most 16 characters. */
const maxLength = 16;

function readPostalCode(country: string, text: string): string {
  const code = text.toUpperCase();
  if (code.length > maxLength) throw new ValueProblem(`Must have at most ${maxLength} characters.`, 'too_long');
  if (!postcodeValidatorExistsForCountry(country)) return code;
  // Common notation is "110 001" where the rule has "110001".
  if (!postcodeValidator(code, country) && !postcodeValidator(code.replaceAll(' ', ''), country)) {
    throw new ValueProblem(`This is not a postal code of ${countryName(country)}.`);
  }
  return code;
}

/** RFC 5733 section 4: what a registry accepts as one line of an address. */
export const partyLimits = {
  lineLength: 255,
  emailLength: 254,
  postalCodeLength: 40,
  phoneLength: 30,
  callingCodeLength: 8,
};

interface PhoneInput {
  readonly callingCode?: string | undefined;
  readonly number?: string | undefined;
}

/** Name and address: what customers, contacts and resellers have in common, unchecked. */
export interface PartyInput {
  readonly email: string;
  readonly name: string;
  readonly company: string;
  /** Up to three lines. */
  readonly street: readonly [string, (string | undefined)?, (string | undefined)?];
  readonly city: string;
  readonly state?: string | undefined;
  readonly country: string;
  readonly postalCode: string;
  readonly phone: Required<PhoneInput>;
  readonly secondPhone?: PhoneInput | undefined;
  readonly mobile?: PhoneInput | undefined;
  readonly fax?: PhoneInput | undefined;
}

/** The same, checked, as it is stored. */
export interface Party {
  readonly email: string;
  readonly name: string;
  readonly company: string;
  readonly address_line_1: string;
  readonly address_line_2: string;
  readonly address_line_3: string;
  readonly city: string;
  readonly state: string;
  readonly country_code: string;
  readonly zipcode: string;
  readonly tel_cc_no: string;
  readonly tel_no: string;
  readonly alt_tel_cc_no: string | null;
  readonly alt_tel_no: string | null;
  readonly mobile_cc_no: string | null;
  readonly mobile_no: string | null;
  readonly fax_cc_no: string | null;
  readonly fax_no: string | null;
}

/** One normalised form, so that equal data are equal bytes. */
const line = (text: string | undefined) => (text ?? '').normalize('NFC').replace(/\s+/gu, ' ').trim();

/** All errors are reported at once, each with its field. */
export function readParty(input: PartyInput): Party {
  const problems: FieldProblem[] = [];
  const read = <T>(field: string, reader: () => T): T | undefined => {
    try {
      return reader();
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      const help = error.help ? { help: error.help } : {};
      problems.push({ field, code: error.code, message: error.message, ...help });
      return undefined;
    }
  };
  const country = read('country', () => readCountry(input.country));
  const phone = (field: string, { callingCode, number }: PhoneInput = {}) =>
    // Panels send a calling code with an empty number, and optional numbers without one of their own.
    number === undefined
      ? undefined
      : read(field, () => readPhone(callingCode ?? input.phone.callingCode ?? '', number));
  const tel = phone('phone', input.phone);
  const alt = phone('secondPhone', input.secondPhone);
  const mobile = phone('mobile', input.mobile);
  const fax = phone('fax', input.fax);
  const email = read('email', () => readEmail(input.email.trim()));
  const state = country && read('state', () => readState(country, line(input.state) || undefined));
  const postalCode = country && read('postalCode', () => readPostalCode(country, line(input.postalCode)));
  const [first] = problems;
  if (first || !tel || !email || !country || !state || !postalCode) {
    throw new Refusal('invalid_argument', first && `${first.field}: ${first.message}`, {
      errors: problems,
      ...(first?.help ? { help: first.help } : {}),
    });
  }
  return {
    email,
    name: line(input.name),
    company: line(input.company),
    address_line_1: line(input.street[0]),
    address_line_2: line(input.street[1]),
    address_line_3: line(input.street[2]),
    city: line(input.city),
    state,
    country_code: country,
    zipcode: postalCode,
    tel_cc_no: tel.cc,
    tel_no: tel.number,
    alt_tel_cc_no: alt?.cc ?? null,
    alt_tel_no: alt?.number ?? null,
    mobile_cc_no: mobile?.cc ?? null,
    mobile_no: mobile?.number ?? null,
    fax_cc_no: fax?.cc ?? null,
    fax_no: fax?.number ?? null,
  };
}

/** The stored data in the form of a request. */
export function partyInputOf(party: Party): PartyInput {
  const phone = (callingCode: string | null, number: string | null) =>
    number === null ? undefined : { callingCode: callingCode ?? undefined, number };
  return {
    email: party.email,
    name: party.name,
    company: party.company,
    street: [party.address_line_1, party.address_line_2, party.address_line_3],
    city: party.city,
    state: party.state,
    country: party.country_code,
    postalCode: party.zipcode,
    phone: { callingCode: party.tel_cc_no, number: party.tel_no },
    secondPhone: phone(party.alt_tel_cc_no, party.alt_tel_no),
    mobile: phone(party.mobile_cc_no, party.mobile_no),
    fax: phone(party.fax_cc_no, party.fax_no),
  };
}
