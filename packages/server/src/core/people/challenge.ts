import { randomBytes, timingSafeEqual } from 'node:crypto';
import { everyTenant } from '@namehold/base';
import { type House, hostOf } from '../house.ts';
import { spendChallenge } from './factor.sql.ts';
import { peopleLimits } from './person.ts';

const sizes = { random: 16, expiry: 6, proof: 16 };
const length = sizes.random + sizes.expiry + sizes.proof;

/** For one person or, with null, for whoever signs in by it; at one host. */
function proofOf(house: House, personId: string | null, body: Buffer): Buffer {
  const text = `challenge:${hostOf(house) ?? ''}:${personId ?? ''}:${body.toString('base64url')}`;
  return Buffer.from(house.vault.fingerprint(text), 'hex').subarray(0, sizes.proof);
}

/** Something to be signed, once, within minutes. It is signed by us and not stored: anybody may request one, and no request leaves a row behind. */
export function newChallenge(house: House, personId: string | null): string {
  const expiry = Buffer.alloc(sizes.expiry);
  expiry.writeUIntBE(house.wall.now().getTime() + peopleLimits.challengeLivesMs, 0, sizes.expiry);
  const body = Buffer.concat([randomBytes(sizes.random), expiry]);
  return Buffer.concat([body, proofOf(house, personId, body)]).toString('base64url');
}

/** The challenge that an answer says it signed, if it is ours and has not expired. The verifier checks that it did sign it; then it is spent. */
export function signedChallenge(
  house: House,
  answer: Readonly<Record<string, unknown>>,
  personId: string | null,
): string | undefined {
  const challenge = challengeIn(answer);
  if (challenge === undefined) return undefined;
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== length || bytes.toString('base64url') !== challenge) return undefined;
  const body = bytes.subarray(0, length - sizes.proof);
  if (!timingSafeEqual(proofOf(house, personId, body), bytes.subarray(body.length))) return undefined;
  return expiryOf(bytes) > house.wall.now() ? challenge : undefined;
}

const expiryOf = (bytes: Buffer) => new Date(bytes.readUIntBE(sizes.random, sizes.expiry));

/** Once a signature of it was found to be right. False: it was used before. */
export async function spend(house: House, challenge: string): Promise<boolean> {
  const fingerprint = house.vault.fingerprint(`challenge:${challenge}`);
  const expiresAt = expiryOf(Buffer.from(challenge, 'base64url'));
  return spendChallenge(house.db.alone(everyTenant), { fingerprint, expiresAt });
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
