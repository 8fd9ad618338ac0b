import { allCountries } from 'country-region-data';
import { countryName } from './country.ts';
import { ValueProblem } from './value-problem.ts';

interface State {
  readonly code: string;
  readonly name: string;
}

/** The contract's value for "no state". */
export const noState = 'Not Applicable';

const states = new Map<string, readonly State[]>(
  allCountries.map(([, country, regions]) => [country, regions.map(([name, code]) => ({ code, name }))]),
);

/** Countries whose addresses need the state, with one common spelling of each. */
const strictCountries = new Set(['US', 'CA', 'AU', 'BR']);

/** The armed forces' post offices and the outlying areas count as states in US addresses and are missing from the list. */
const furtherStates: Readonly<Record<string, readonly State[]>> = {
  US: [
    { code: 'AA', name: 'Armed Forces Americas' },
    { code: 'AE', name: 'Armed Forces Europe' },
    { code: 'AP', name: 'Armed Forces Pacific' },
    { code: 'PR', name: 'Puerto Rico' },
    { code: 'GU', name: 'Guam' },
    { code: 'VI', name: 'Virgin Islands' },
  ],
};

export function statesOf(country: string): readonly State[] {
  return states.get(country) ?? [];
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/**
 * A code or a name of the list becomes the name of the list. Outside the strict countries other text stays as it is: "West Java" and
 * "Jawa Barat" are both correct.
 */
export function readState(country: string, text: string | undefined): string {
  if (text === undefined || plain(text) === plain(noState) || /^n\/?a$/i.test(text)) return noState;
  const all = [...statesOf(country), ...(furtherStates[country] ?? [])];
  const wanted = plain(text);
  const found = all.find((state) => plain(state.name) === wanted || state.code.toLowerCase() === text.toLowerCase());
  if (found) return found.name;
  if (strictCountries.has(country)) {
    throw new ValueProblem(
      `This is not a state of ${countryName(country)}. Send "${noState}" or one of its states.`,
      'invalid',
      { action: 'list_states', country },
    );
  }
  return text;
}
