import { randomBytes } from 'node:crypto';
import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { insertChallenge, takeChallenge } from './factor.sql.ts';
import { peopleLimits } from './person.ts';

const challengeOctets = 32;

const fingerprintOf = (house: House, challenge: string) => house.vault.fingerprint(`challenge:${challenge}`);

/** Something to be signed, once, within minutes; for one person, or for whoever signs in by it. */
export async function newChallenge(house: House, personId: string | null): Promise<string> {
  const challenge = randomBytes(challengeOctets).toString('base64url');
  const expiresAt = new Date(house.wall.now().getTime() + peopleLimits.challengeLivesMs);
  const row = { fingerprint: fingerprintOf(house, challenge), personId, expiresAt };
  await insertChallenge(house.db.alone(everyTenant), row);
  return challenge;
}

/** The challenge that an answer says it signed, if it is ours and was not used. The verifier checks that it did sign it. */
export async function takeSigned(
  house: House,
  answer: Readonly<Record<string, unknown>>,
  personId: string | null,
): Promise<string | undefined> {
  const challenge = challengeIn(answer);
  if (challenge === undefined) return undefined;
  const of = { fingerprint: fingerprintOf(house, challenge), personId };
  const isTaken = await takeChallenge(house.db.alone(everyTenant), of, house.wall.now());
  return isTaken ? challenge : undefined;
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
