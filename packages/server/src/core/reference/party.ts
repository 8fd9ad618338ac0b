import { type FieldProblem, Refusal } from '../errors.ts';
import { readCountry } from './country.ts';
import { readEmail } from './email.ts';
import { readPhone } from './phone.ts';
import { readPostalCode } from './postal-code.ts';
import { readState } from './state.ts';
import { ValueProblem } from './value-problem.ts';

/** RFC 5733 4: what a registry takes as one line of an address. */
export const partyLimits = {
  lineLength: 255,
  emailLength: 254,
  postalCodeLength: 40,
  phoneLength: 30,
  callingCodeLength: 8,
};

/** Who somebody is and where: what customers, contacts and resellers have in common, as it is sent. */
export interface PartyInput {
  readonly email: string;
  readonly name: string;
  readonly company: string;
  readonly address_line_1: string;
  readonly address_line_2?: string | undefined;
  readonly address_line_3?: string | undefined;
  readonly city: string;
  readonly state?: string | undefined;
  readonly country_code: string;
  readonly zipcode: string;
  readonly tel_cc_no: string;
  readonly tel_no: string;
  readonly alt_tel_cc_no?: string | undefined;
  readonly alt_tel_no?: string | undefined;
  readonly mobile_cc_no?: string | undefined;
  readonly mobile_no?: string | undefined;
  readonly fax_cc_no?: string | undefined;
  readonly fax_no?: string | undefined;
}

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

/** One written form, so that equal data are equal bytes. */
const line = (text: string | undefined) => (text ?? '').normalize('NFC').replace(/\s+/gu, ' ').trim();

/** Everything that is wrong is named at once, each with its field. */
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
  const country = read('country_code', () => readCountry(input.country_code));
  const phone = (field: string, cc: string | undefined, number: string | undefined) =>
    // Panels send a calling code with an empty number, and optional numbers without one of their own.
    number === undefined ? undefined : read(field, () => readPhone(cc ?? input.tel_cc_no, number));
  const tel = phone('tel_no', input.tel_cc_no, input.tel_no);
  const alt = phone('alt_tel_no', input.alt_tel_cc_no, input.alt_tel_no);
  const mobile = phone('mobile_no', input.mobile_cc_no, input.mobile_no);
  const fax = phone('fax_no', input.fax_cc_no, input.fax_no);
  const email = read('email', () => readEmail(input.email.trim()));
  const state = country && read('state', () => readState(country, line(input.state) || undefined));
  const zipcode = country && read('zipcode', () => readPostalCode(country, line(input.zipcode)));
  const [first] = problems;
  if (first || !tel || !email || !country || !state || !zipcode) {
    throw new Refusal('invalid_argument', first && `${first.field}: ${first.message}`, {
      errors: problems,
      ...(first?.help ? { help: first.help } : {}),
    });
  }
  return {
    email,
    name: line(input.name),
    company: line(input.company),
    address_line_1: line(input.address_line_1),
    address_line_2: line(input.address_line_2),
    address_line_3: line(input.address_line_3),
    city: line(input.city),
    state,
    country_code: country,
    zipcode,
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
