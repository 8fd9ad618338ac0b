import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { ValueProblem } from './value-problem.ts';

interface Phone {
  /** Country calling code, digits. */
  readonly cc: string;
  /** National significant number, digits. */
  readonly number: string;
}

/**
 * From calling code and number. `+62`, `0062`, a national prefix (`0812...`), blanks and hyphens are all accepted; a number with its own
 * `+CC` must agree with the calling code.
 */
export function readPhone(callingCode: string, number: string): Phone {
  const cc = callingCode.replace(/[\s()-]/g, '').replace(/^(\+|00)/, '');
  if (!/^[1-9]\d{0,2}$/.test(cc)) throw new ValueProblem('The country calling code, such as 62, is missing.');
  if (!/^\+?[\d\s().\-/]{1,30}$/.test(number)) throw new ValueProblem('Must be a phone number in digits.');
  const parsed = parse(number, cc);
  if (!parsed?.isPossible()) throw new ValueProblem(`This is not a phone number with the country calling code +${cc}.`);
  if (parsed.countryCallingCode !== cc) {
    throw new ValueProblem(
      `The number begins with +${parsed.countryCallingCode}, but the country calling code is ${cc}.`,
    );
  }
  // Parsed again it must be the same number: in 000 000 each parsing would remove another zero as the national prefix.
  if (parse(parsed.nationalNumber, cc)?.nationalNumber !== parsed.nationalNumber) {
    throw new ValueProblem(`This is not a phone number with the country calling code +${cc}.`);
  }
  return { cc, number: parsed.nationalNumber };
}

function parse(number: string, cc: string) {
  try {
    return parsePhoneNumberFromString(number, { defaultCallingCode: cc, extract: false });
  } catch {
    throw new ValueProblem(`+${cc} is not a country calling code.`);
  }
}

/** RFC 5733 section 2.5: `+CC.number`. */
export function eppPhone(cc: string, number: string): string {
  return `+${cc}.${number}`;
}
