import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '@namehold/base';

const randomLength = 32;
const length = 40;

/** 256 random bits, and 64 that prove that we made them: a made-up one is known for such without a look into the database. */
export function newSessionSecret(vault: Vault): string {
  const random = randomBytes(randomLength);
  return Buffer.concat([random, proofOf(vault, random)]).toString('base64url');
}

export function isSessionSecret(vault: Vault, secret: string): boolean {
  const bytes = Buffer.from(secret, 'base64url');
  if (bytes.length !== length || secret.length > 2 * length) return false;
  return timingSafeEqual(proofOf(vault, bytes.subarray(0, randomLength)), bytes.subarray(randomLength));
}

/** What is stored and looked up of it. Never that of a key: a text that is both would be let in as either. */
export const sessionFingerprint = (vault: Vault, secret: string): string => vault.fingerprint(`session:${secret}`);

function proofOf(vault: Vault, random: Buffer): Buffer {
  const whole = Buffer.from(vault.fingerprint(`session-proof:${random.toString('base64url')}`), 'hex');
  return whole.subarray(0, length - randomLength);
}
