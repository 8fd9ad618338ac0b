import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Logins are rare, but a pool opens many sessions at once: about ten milliseconds each. */
let cost: ScryptOptions = { N: 4096, r: 8, p: 1 };

/** For tests, which start hundreds of registries: the cost is not a setting, and the registry never calls this. */
export function hashAt(other: ScryptOptions): void {
  cost = other;
}

const hashBytes = 32;
const saltBytes = 16;
const generatedBytes = 12;

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return `${salt.toString('base64url')}.${(await derive(password, salt)).toString('base64url')}`;
}

export async function passwordMatches(hash: string, password: string): Promise<boolean> {
  const [salt, key] = hash.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  return timingSafeEqual(key, await derive(password, salt));
}

/** RFC 5730 pwType: 6 to 16 characters. Longer ones use loginSec. */
export const newPassword = (): string => randomBytes(generatedBytes).toString('base64url');
