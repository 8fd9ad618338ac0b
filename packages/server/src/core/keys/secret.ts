import { randomBytes } from 'node:crypto';

/** 256 random bits, shown once. The prefix lets secret scanners recognise a leaked one. */
export function newSecret(): { secret: string; hint: string } {
  const secret = `nh_${randomBytes(32).toString('base64url')}`;
  return { secret, hint: `${secret.slice(0, 7)}...` };
}
