import { SECURE_AUTH_INFO, type SecretClass, type SecretRules } from '@namehold/epp';

/** No letters that look alike, nothing that breaks in shells, forms or XML. */
const signs: Record<SecretClass, string> = {
  lower: 'abcdefghijkmnopqrstuvwxyz',
  upper: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  digit: '23456789',
  symbol: '-_.',
};

/** Where a short one must have a sign of each class, most draws miss one of them. */
const draws = 10_000;

type MadeBy = SecretRules & { readonly secureAuthInfo?: boolean };

/** RFC 9154 4.1: as many characters as have 128 bits of entropy, 20 at least. */
const strongLength = (alphabet: number): number =>
  Math.max(SECURE_AUTH_INFO.minLength, Math.ceil(SECURE_AUTH_INFO.bits / Math.log2(alphabet)));

/** An auth code as the registry wants them, by chance alone. */
export function newSecret(rules: MadeBy, chance: (length: number, alphabet: string) => string): string {
  const classes = rules.authInfoClasses.map((each) => signs[each]);
  const least = rules.secureAuthInfo ? strongLength(classes.join('').length) : rules.authInfoMinLength;
  const length = Math.min(Math.max(rules.authInfoLength, least), rules.authInfoMaxLength);
  for (let draw = 0; draw < draws; draw += 1) {
    const made = chance(length, classes.join(''));
    if (classes.every((signsOf) => [...made].some((sign) => signsOf.includes(sign)))) return made;
  }
  throw new Error(`no auth code of ${length} signs has one of each class`);
}
