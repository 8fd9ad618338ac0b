/** Two letters: a country-code TLD with its own rules. All others have a contract with ICANN. */
export type TldClass = 'generic' | 'country';

export const tldClassOf = (tld: string): TldClass => (tld.split('.').at(-1)!.length === 2 ? 'country' : 'generic');
