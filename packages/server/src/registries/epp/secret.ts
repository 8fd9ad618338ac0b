import { type AuthCodeClass, type AuthCodeRules, SECURE_AUTH_INFO } from '@namehold/epp';

/** No look-alike letters, and nothing with a meaning in shells, forms or XML. */
const signs: Record<AuthCodeClass, string> = {
  lower: 'abcdefghijkmnopqrstuvwxyz',
  upper: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  digit: '23456789',
  symbol: '-_.',
};

/** If a short code must contain each character class, most random draws lack one. */
const draws = 10_000;

type MadeBy = AuthCodeRules & { readonly secureAuthInfo?: boolean };

/** RFC 9154 4.1: as many characters as have 128 bits of entropy, at least 20. */
const strongLength = (alphabet: number): number =>
  Math.max(SECURE_AUTH_INFO.minLength, Math.ceil(SECURE_AUTH_INFO.bits / Math.log2(alphabet)));

/** A random auth code that fulfils the registry's rules. */
export function newSecret(rules: MadeBy, chance: (length: number, alphabet: string) => string): string {
  const classes = rules.authInfoClasses.map((each) => signs[each]);
  const least = rules.secureAuthInfo ? strongLength(classes.join('').length) : rules.authInfoMinLength;
  const length = Math.min(Math.max(rules.authInfoLength, least), rules.authInfoMaxLength);
  for (let draw = 0; draw < draws; draw += 1) {
    const made = chance(length, classes.join(''));
    if (classes.every((signsOf) => [...made].some((sign) => signsOf.includes(sign)))) return made;
  }
  throw new Error(`an auth code of ${length} characters cannot contain each character class`);
}
