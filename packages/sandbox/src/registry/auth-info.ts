import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TldRules } from '@namehold/epp';
import type { AuthInfoSign } from '../tlds/index.ts';
import { refuse } from './refusal.ts';

const saltBytes = 12;
/** A value with fewer different characters is not random. */
const minDifferentCharacters = 8;

const digest = (salt: string, pw: string): Buffer => createHash('sha256').update(salt).update(pw).digest();

/** RFC 9154 4.1: stored as a salted hash. The values are long and random, so one round is sufficient. Empty means unset. */
export function hashAuthInfo(pw: string): string | null {
  if (pw === '') return null;
  const salt = randomBytes(saltBytes).toString('base64url');
  return `${salt}.${digest(salt, pw).toString('base64url')}`;
}

/** RFC 9154 4.3: no value matches an unset one, in particular not an empty one. */
export function authInfoMatches(hashed: string | null, pw: string): boolean {
  if (hashed === null || pw === '') return false;
  const [salt, hash] = hashed.split('.') as [string, string];
  return timingSafeEqual(Buffer.from(hash, 'base64url'), digest(salt, pw));
}

const signs: Readonly<Record<AuthInfoSign, RegExp>> = { letter: /[A-Za-z]/, digit: /\d/, sign: /[^A-Za-z\d]/ };

type Lengths = Pick<TldRules, 'authInfoMinLength' | 'authInfoMaxLength'>;

/** RFC 9154 4.1: a value that can be guessed is refused. Also checks the TLD's own rules. */
export function checkAuthInfoStrength(rules: Lengths, pw: string, has: readonly AuthInfoSign[] = []) {
  if (pw === '') return;
  if (pw.length < rules.authInfoMinLength || pw.length > rules.authInfoMaxLength) {
    refuse(2306, `authInfo must have ${rules.authInfoMinLength} to ${rules.authInfoMaxLength} characters, or none`);
  }
  if (!/^[\x21-\x7e]+$/.test(pw)) refuse(2306, 'authInfo must be printable ASCII without spaces');
  const missing = has.find((sign) => !signs[sign].test(pw));
  if (missing !== undefined) refuse(2306, `authInfo must have a ${missing}`);
  if (new Set(pw).size < minDifferentCharacters) refuse(2306, 'authInfo is too easy to guess');
}

/** Contacts belong to no TLD. */
export const contactAuthInfoRules = { authInfoMinLength: 8, authInfoMaxLength: 32 } as const;
