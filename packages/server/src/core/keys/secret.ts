import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '@namehold/base';

const randomLength = 24;
const length = 32;

/**
 * 192 random bits, and a 64-bit check value made with the master key: an invented key is recognised without a database lookup. Shown
 * once. The prefix lets secret scanners recognise a leaked one.
 */
export function newSecret(vault: Vault): { secret: string; hint: string } {
  const random = randomBytes(randomLength);
  const secret = `nh_${Buffer.concat([random, proofOf(vault, random)]).toString('base64url')}`;
  return { secret, hint: `${secret.slice(0, 7)}...` };
}

/** False: invented, or made under another master key. Checked only for throttled callers; for others the database decides. */
export function isIssuedHere(vault: Vault, secret: string): boolean {
  if (!secret.startsWith('nh_')) return false;
  const bytes = Buffer.from(secret.slice(3), 'base64url');
  if (bytes.length !== length) return false;
  // The only comparison of secrets; the key itself is looked up by its fingerprint, which an attacker cannot steer.
  return timingSafeEqual(proofOf(vault, bytes.subarray(0, randomLength)), bytes.subarray(randomLength));
}

function proofOf(vault: Vault, random: Buffer): Buffer {
  return Buffer.from(vault.fingerprint(`key-proof:${random.toString('base64url')}`), 'hex').subarray(
    0,
    length - randomLength,
  );
}
