import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { countryName } from './country.ts';
import { ValueProblem } from './value-problem.ts';

/** RFC 5733 section 4: postal codes have at most 16 characters. */
const maxLength = 16;

export function readPostalCode(country: string, text: string): string {
  const code = text.toUpperCase();
  if (code.length > maxLength) throw new ValueProblem(`Must have at most ${maxLength} characters.`, 'too_long');
  if (!postcodeValidatorExistsForCountry(country)) return code;
  // Common notation is "110 001" where the rule has "110001".
  if (!postcodeValidator(code, country) && !postcodeValidator(code.replaceAll(' ', ''), country)) {
    throw new ValueProblem(`This is not a postal code of ${countryName(country)}.`);
  }
  return code;
}
