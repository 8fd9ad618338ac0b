import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** OWASP's floor for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryKiB: 19_456, passes: 2, lanes: 1, saltBytes: 16, tagBytes: 32 };

export const passwordLimits = { minLength: 8, maxLength: 128, temporaryLength: 16, temporaryMs: 3 * 86_400_000 };

/** Without letters and digits that people mistake for each other. */
const temporaryAlphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function derive(password: string, salt: Buffer, memory: number, passes: number, parallelism: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settings = { message: Buffer.from(password.normalize('NFC')), nonce: salt, memory, passes, parallelism };
    argon2('argon2id', { ...settings, tagLength: cost.tagBytes }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    );
  });
}

const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** In the PHC string form, which carries its own cost: a later floor does not lock anybody out. Slow on purpose: not in a transaction. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(cost.saltBytes);
  const tag = await derive(password, salt, cost.memoryKiB, cost.passes, cost.lanes);
  return `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=${cost.lanes}$${bare(salt)}$${bare(tag)}`;
}

async function isPassword(hash: string, password: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) return false;
  const [, memory, passes, lanes, salt, tag] = match as unknown as [string, string, string, string, string, string];
  const made = await derive(password, Buffer.from(salt, 'base64'), Number(memory), Number(passes), Number(lanes));
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
): Promise<TemporaryPassword> {
  const password = ids.text(passwordLimits.temporaryLength, temporaryAlphabet);
  return {
    password,
    hash: await hashPassword(password),
    expiresAt: new Date(now.getTime() + passwordLimits.temporaryMs),
  };
}

export interface StoredPasswords {
  readonly password_hash: string | null;
  readonly temp_password_hash: string | null;
  readonly temp_password_expires_at: Date | null;
}

/** The own password or a temporary one that has not ended. */
export async function opensWith(stored: StoredPasswords, password: string, now: Date): Promise<boolean> {
  const temporary =
    stored.temp_password_expires_at && stored.temp_password_expires_at > now ? stored.temp_password_hash : null;
  for (const hash of [stored.password_hash, temporary]) {
    if (hash && (await isPassword(hash, password))) return true;
  }
  return false;
}
