import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '@namehold/base';

const randomLength = 32;
const length = 40;

/** 256 random bits, and a 64-bit check value made here: an invented secret is recognised without a database lookup. */
export function newSessionSecret(vault: Vault): string {
  const random = randomBytes(randomLength);
  return Buffer.concat([random, proofOf(vault, random)]).toString('base64url');
}

export function isSessionSecret(vault: Vault, secret: string): boolean {
  const bytes = Buffer.from(secret, 'base64url');
  if (bytes.length !== length || secret.length > 2 * length) return false;
  return timingSafeEqual(proofOf(vault, bytes.subarray(0, randomLength)), bytes.subarray(randomLength));
}

/** The stored fingerprint. It differs from that of a key: a text that is both would be accepted as either. */
export const sessionFingerprint = (vault: Vault, secret: string): string => vault.fingerprint(`session:${secret}`);

function proofOf(vault: Vault, random: Buffer): Buffer {
  const whole = Buffer.from(vault.fingerprint(`session-proof:${random.toString('base64url')}`), 'hex');
  return whole.subarray(0, length - randomLength);
}
