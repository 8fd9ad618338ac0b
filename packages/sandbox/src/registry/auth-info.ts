import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TldRules } from '@namehold/epp';
import { refuse } from './refusal.ts';

const saltBytes = 12;
/** Fewer different characters than this is no random value. */
const minDifferentCharacters = 8;

const digest = (salt: string, pw: string): Buffer => createHash('sha256').update(salt).update(pw).digest();

/** RFC 9154 4.1: kept as a salted hash; the values are long and random, so one round is enough. Empty means unset. */
export function sealAuthInfo(pw: string): string | null {
  if (pw === '') return null;
  const salt = randomBytes(saltBytes).toString('base64url');
  return `${salt}.${digest(salt, pw).toString('base64url')}`;
}

/** RFC 9154 4.3: nothing matches an unset value, an empty one least of all. */
export function authInfoMatches(sealed: string | null, pw: string): boolean {
  if (sealed === null || pw === '') return false;
  const [salt, hash] = sealed.split('.') as [string, string];
  return timingSafeEqual(Buffer.from(hash, 'base64url'), digest(salt, pw));
}

/** RFC 9154 4.1: a value that can be guessed is refused. */
export function checkAuthInfoStrength(rules: Pick<TldRules, 'authInfoMinLength' | 'authInfoMaxLength'>, pw: string) {
  if (pw === '') return;
  if (pw.length < rules.authInfoMinLength || pw.length > rules.authInfoMaxLength) {
    refuse(2306, `authInfo must have ${rules.authInfoMinLength} to ${rules.authInfoMaxLength} characters, or none`);
  }
  if (!/^[\x21-\x7e]+$/.test(pw)) refuse(2306, 'authInfo must be printable ASCII without spaces');
  if (new Set(pw).size < minDifferentCharacters) refuse(2306, 'authInfo is too easy to guess');
}

/** Contacts belong to no TLD. */
export const contactAuthInfoRules = { authInfoMinLength: 8, authInfoMaxLength: 64 } as const;
