import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Secrets at rest. One master key outside the database; each purpose has a key of its own derived from it. */
export interface Vault {
  /** `context` says what the secret belongs to; a sealed text moved to another row does not open. */
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** Keyed hash for look-ups: useless to who has only the database. */
  fingerprint(text: string): string;
}

export const masterKeyBytes = 32;
const ivBytes = 12;
/** Said outright: left open, the runtime takes tags of four bytes as well, which can be guessed. */
const tagBytes = 16;

export function openVault(masterKey: Buffer): Vault {
  if (masterKey.length !== masterKeyBytes) throw new Error(`the master key must be ${masterKeyBytes} bytes`);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `namehold:${purpose}`, 32));
  const sealKey = derive('seal');
  const fingerprintKey = derive('fingerprint');
  return {
    seal(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, context) {
      if (!sealed.startsWith('v1.')) throw new Error('sealed text of an unknown version');
      const bytes = Buffer.from(sealed.slice(3), 'base64url');
      if (bytes.length < ivBytes + tagBytes) throw new Error('sealed text is cut short');
      const iv = bytes.subarray(0, ivBytes);
      const decipher = createDecipheriv('aes-256-gcm', sealKey, iv, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest('hex'),
  };
}
