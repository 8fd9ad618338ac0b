import { randomBytes, timingSafeEqual } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import { type AppContext, brandHostOf } from '../app-context.ts';
import { consumeChallenge } from './factor.sql.ts';
import { userLimits } from './user.ts';

const sizes = { random: 16, expiry: 6, proof: 16 };
const length = sizes.random + sizes.expiry + sizes.proof;

/** For one user or, with null, for any user who signs in with it; at one host. */
function proofOf(ctx: AppContext, userId: string | null, body: Buffer): Buffer {
  const text = `challenge:${brandHostOf(ctx) ?? ''}:${userId ?? ''}:${body.toString('base64url')}`;
  return Buffer.from(ctx.vault.fingerprint(text), 'hex').subarray(0, sizes.proof);
}

/**
 * A challenge to be signed once, within minutes. It is signed by the service and not stored: anyone may request one, and no request
 * leaves a row.
 */
export function newChallenge(ctx: AppContext, userId: string | null): string {
  const expiry = Buffer.alloc(sizes.expiry);
  expiry.writeUIntBE(ctx.wall.now().getTime() + userLimits.challengeTtlMs, 0, sizes.expiry);
  const body = Buffer.concat([randomBytes(sizes.random), expiry]);
  return Buffer.concat([body, proofOf(ctx, userId, body)]).toString('base64url');
}

/**
 * The challenge that a response claims to have signed, if it was made here and has not expired. The verifier checks the signature; then
 * the challenge is used up.
 */
export function signedChallenge(
  ctx: AppContext,
  answer: Readonly<Record<string, unknown>>,
  userId: string | null,
): string | undefined {
  const challenge = challengeIn(answer);
  if (challenge === undefined) return undefined;
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== length || bytes.toString('base64url') !== challenge) return undefined;
  const body = bytes.subarray(0, length - sizes.proof);
  if (!timingSafeEqual(proofOf(ctx, userId, body), bytes.subarray(body.length))) return undefined;
  return expiryOf(bytes) > ctx.wall.now() ? challenge : undefined;
}

const expiryOf = (bytes: Buffer) => new Date(bytes.readUIntBE(sizes.random, sizes.expiry));

/** Called after its signature was verified. False: it was used before. */
export async function useChallenge(ctx: AppContext, challenge: string): Promise<boolean> {
  const fingerprint = ctx.vault.fingerprint(`challenge:${challenge}`);
  const expiresAt = expiryOf(Buffer.from(challenge, 'base64url'));
  return consumeChallenge(ctx.db.autocommit(allTenants), { fingerprint, expiresAt });
}

function challengeIn(answer: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const { clientDataJSON } = answer.response as { clientDataJSON: string };
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: unknown };
    return typeof challenge === 'string' && challenge.length < 100 ? challenge : undefined;
  } catch {
    return undefined;
  }
}
