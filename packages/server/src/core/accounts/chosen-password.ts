import { badField } from '../errors.ts';
import type { HashCaller } from './hash-gate.ts';
import { hashPassword } from './password.ts';

/** The most common passwords among those that are long enough. */
const triedFirst = new Set(
  `00000000 11111111 12121212 11223344 12341234 12344321 12345678 123456789 1234567890 123123123 87654321 987654321
  0987654321 88888888 99999999 66666666 147258369 789456123 a1b2c3d4 aa123456 abc12345 abcd1234 abcdefgh admin123
  adminadmin administrator asdfasdf asdfghjk asdfghjkl baseball changeme computer football iloveyou letmein1 master123
  michelle p@ssw0rd passw0rd password password1 password12 password123 princess q1w2e3r4 q1w2e3r4t5 qazwsxedc qwer1234
  qwerty12 qwerty123 qwertyui qwertyuiop starwars sunshine superman test1234 trustno1 welcome1 welcome123 whatever zxcvbnm1
  katasandi rahasia1 sayangku indonesia indonesia1 bismillah`
    .trim()
    .split(/\s+/),
);

/**
 * For a password that signs in to the console, length is what counts; but it must be neither the account's address nor a common
 * password. Passwords that a program sends for a customer are accepted as they are: panels have their own rules.
 */
function passwordWeakness(password: string, email: string): string | undefined {
  const typed = password.trim().toLowerCase();
  const address = email.toLowerCase();
  if (typed === address || typed === address.slice(0, address.lastIndexOf('@')))
    return 'The password must not be the email address.';
  return triedFirst.has(typed) || new Set(typed).size < 3 ? 'The password is too easy to guess.' : undefined;
}

export const isEasy = (password: string, email: string): boolean => passwordWeakness(password, email) !== undefined;

export function refuseEasy(password: string, email: string, field: string): void {
  const why = passwordWeakness(password, email);
  if (why) throw badField(field, `${why} Choose another, such as a few words.`, 'too_easy');
}

export async function hashChosen(password: string, email: string, field: string, caller: HashCaller): Promise<string> {
  refuseEasy(password, email, field);
  return hashPassword(password, caller);
}
