import { allCountries } from 'country-region-data';
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import { ValueProblem } from './value-problem.ts';

/** Made on first use: it takes 20 ms, and a start should not wait for it. */
let names: Intl.DisplayNames | undefined;
const known = new Map<string, string>();

/** English name of an ISO 3166-1 alpha-2 code; panels compare it with their own English list. */
export function countryName(code: string): string {
  let name = known.get(code);
  if (name === undefined) {
    names ??= new Intl.DisplayNames(['en'], { type: 'region' });
    name = names.of(code) ?? code;
    known.set(code, name);
  }
  return name;
}

interface Country {
  readonly code: string;
  readonly name: string;
  readonly callingCode: string | null;
}

const codes = new Set<string>(allCountries.map(([, code]) => code));

export function isCountry(code: string): boolean {
  return codes.has(code);
}

/** Clients send both cases. */
export function readCountry(text: string): string {
  const code = text.trim().toUpperCase();
  if (!codes.has(code)) {
    throw new ValueProblem('Must be an ISO 3166-1 alpha-2 country code such as US.', 'invalid', {
      action: 'list_countries',
    });
  }
  return code;
}

export function listCountries(): Country[] {
  return [...codes]
    .map((code) => ({
      code,
      name: countryName(code),
      callingCode: isSupportedCountry(code) ? getCountryCallingCode(code) : null,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
