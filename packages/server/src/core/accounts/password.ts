import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { type HashCaller, HashGate } from './hash-gate.ts';

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const owaspFloor: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const sizes = { saltBytes: 16, tagBytes: 32 };

let cost = owaspFloor;

/** For tests, which create thousands of customers: the cost is not a setting, and the service never calls this. */
export function hashAt(other: Cost): void {
  cost = other;
}

export const passwordLimits = { minLength: 8, maxLength: 128, temporaryLength: 16, temporaryMs: 3 * 86_400_000 };

/** Without letters and digits that are easily confused. */
const temporaryAlphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** One per process: memory and threads belong to the process. */
const gate = new HashGate();

function derive(password: string, salt: Buffer, work: Cost, caller: HashCaller): Promise<Buffer> {
  const settings = { message: Buffer.from(password.normalize('NFC')), nonce: salt, ...work };
  const run = () =>
    new Promise<Buffer>((resolve, reject) => {
      argon2('argon2id', { ...settings, tagLength: sizes.tagBytes }, (error, tag) =>
        error ? reject(error) : resolve(tag),
      );
    });
  return gate.through(run, caller);
}

const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

const costText = () => `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;

/**
 * In the PHC string format, which includes its cost, so a higher minimum later locks no user out. Deliberately slow: do not call it in a
 * transaction.
 */
export async function hashPassword(password: string, caller: HashCaller): Promise<string> {
  const [salt, text] = [randomBytes(sizes.saltBytes), costText()];
  const tag = await derive(password, salt, cost, caller);
  return `${text}${bare(salt)}$${bare(tag)}`;
}

/** It was made with a lower cost. */
export const isDated = (hash: string): boolean => !hash.startsWith(costText());

/** A hash of no password. Unknown users are checked against it, so that the answer takes the same time. */
const decoy = () => `${costText()}${bare(Buffer.alloc(sizes.saltBytes))}$${bare(Buffer.alloc(sizes.tagBytes))}`;

/** Stored when no password may sign in any more. */
export const noPasswordHash = decoy;

/** Takes the same time if there is no hash. */
export async function isPasswordOf(
  hash: string | undefined | null,
  password: string,
  caller: HashCaller,
): Promise<boolean> {
  return (await isPassword(hash ?? decoy(), password, caller)) && hash != null;
}

async function isPassword(hash: string, password: string, caller: HashCaller): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) return false;
  const [, memory, passes, lanes, salt, tag] = match as unknown as [string, string, string, string, string, string];
  const work = { memory: Number(memory), passes: Number(passes), parallelism: Number(lanes) };
  const made = await derive(password, Buffer.from(salt, 'base64'), work, caller);
  const kept = Buffer.from(tag, 'base64');
  return kept.length === made.length && timingSafeEqual(kept, made);
}

export interface TemporaryPassword {
  readonly password: string;
  readonly hash: string;
  readonly expiresAt: Date;
}

export async function newTemporaryPassword(
  ids: { text(length: number, alphabet: string): string },
  now: Date,
  caller: HashCaller,
): Promise<TemporaryPassword> {
  const password = ids.text(passwordLimits.temporaryLength, temporaryAlphabet);
  return {
    password,
    hash: await hashPassword(password, caller),
    expiresAt: new Date(now.getTime() + passwordLimits.temporaryMs),
  };
}

export interface StoredPasswords {
  readonly password_hash: string | null;
  readonly temp_password_hash: string | null;
  readonly temp_password_expires_at: Date | null;
}

/** The own password or a temporary one that has not expired. */
export async function opensWith(
  stored: StoredPasswords,
  password: string,
  now: Date,
  caller: HashCaller,
): Promise<OpenedBy | undefined> {
  const temporary =
    stored.temp_password_expires_at && stored.temp_password_expires_at > now ? stored.temp_password_hash : null;
  if (stored.password_hash && (await isPassword(stored.password_hash, password, caller))) return 'own';
  return temporary && (await isPassword(temporary, password, caller)) ? 'temporary' : undefined;
}

export type OpenedBy = 'own' | 'temporary';

/**
 * Hashing takes too long for a transaction. Therefore the writing transaction compares the row, which it has locked, with the one that
 * was verified.
 */
export const isStillVerified = (present: StoredPasswords, verified: StoredPasswords, by: OpenedBy): boolean =>
  by === 'own'
    ? present.password_hash === verified.password_hash
    : present.temp_password_hash === verified.temp_password_hash;

/** The same, with equal work whatever is stored, even nothing. Undefined: no password matches. */
export async function opensEvenly(
  stored: StoredPasswords | undefined,
  password: string,
  now: Date,
  caller: HashCaller,
): Promise<OpenedBy | undefined> {
  const ends = stored?.temp_password_expires_at;
  const temporary = ends && ends > now ? stored.temp_password_hash : null;
  const isOwn = await isPasswordOf(stored?.password_hash, password, caller);
  const isTemporary = await isPasswordOf(temporary, password, caller);
  if (isOwn) return 'own';
  return isTemporary ? 'temporary' : undefined;
}
