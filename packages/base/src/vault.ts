import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Encrypts secrets at rest. The master key is outside the database; each purpose has its own key derived from it. */
export interface Vault {
  /** `context` identifies what the secret belongs to. A ciphertext moved to another row does not decrypt. */
  encrypt(plain: string, context: string): string;
  /**
   * Compressed first. For records that are kept for years. Not for content whose length an attacker can measure while choosing part of
   * it.
   */
  encryptCompressed(plain: string, context: string): string;
  open(ciphertext: string, context: string): string;
  /** Whether the text was encrypted with the current key, not with one that is being replaced. */
  isCurrent(ciphertext: string, context: string): boolean;
  /** A keyed hash for look-ups; without the key it is useless. */
  fingerprint(text: string): string;
}

/** While a master key is being replaced, former keys still decrypt what they encrypted. */
export interface MasterKeys {
  readonly current: Buffer;
  readonly former: readonly Buffer[];
}

export const masterKeyBytes = 32;
const ivBytes = 12;
/** Set explicitly: by default the runtime also accepts tags of four bytes, which can be guessed. */
const tagBytes = 16;
/** Larger texts are not compressed, because compression blocks the main thread. */
const maxCompressedBytes = 65_536;

const derive = (masterKey: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', masterKey, '', `namehold:${purpose}`, 32));

/**
 * Constant for the life of a database, because hashes cannot be recomputed: derived from the first master key and stored encrypted under
 * later ones.
 */
export const fingerprintKeyOf = (masterKey: Buffer): Buffer => derive(masterKey, 'fingerprint');

/** The keys are read at each use, because they may change while the process runs. */
export function openVault(source: Buffer | (() => MasterKeys), fingerprintKey?: Buffer): Vault {
  const encryptionKeys = new Map<string, Buffer>();
  const encryptionKey = (masterKey: Buffer): Buffer => {
    if (masterKey.length !== masterKeyBytes) throw new Error(`the master key must be ${masterKeyBytes} bytes`);
    const name = masterKey.toString('hex');
    const known = encryptionKeys.get(name) ?? derive(masterKey, 'seal');
    encryptionKeys.set(name, known);
    return known;
  };
  const keys = typeof source === 'function' ? source : () => ({ current: source, former: [] });
  encryptionKey(keys().current);
  // A key object: from bytes it would be created again for each request.
  const hashKey = createSecretKey(fingerprintKey ?? fingerprintKeyOf(keys().current));
  return {
    encrypt: (plain, context) => encrypt(encryptionKey(keys().current), Buffer.from(plain), context, 'v1'),
    encryptCompressed(plain, context) {
      const whole = Buffer.from(plain);
      const isCompressed = whole.length <= maxCompressedBytes;
      return encrypt(
        encryptionKey(keys().current),
        isCompressed ? deflateRawSync(whole) : whole,
        context,
        isCompressed ? 'v2' : 'v1',
      );
    },
    open(ciphertext, context) {
      const { current, former } = keys();
      for (const key of former) {
        try {
          return open(encryptionKey(key), ciphertext, context);
        } catch {
          // Encrypted with another key.
        }
      }
      return open(encryptionKey(current), ciphertext, context);
    },
    isCurrent(ciphertext, context) {
      try {
        open(encryptionKey(keys().current), ciphertext, context);
        return true;
      } catch {
        return false;
      }
    },
    fingerprint: (text) => createHmac('sha256', hashKey).update(text).digest('hex'),
  };
}

function encrypt(key: Buffer, plain: Buffer, context: string, version: 'v1' | 'v2'): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(bound(context, version));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

function open(key: Buffer, ciphertext: string, context: string): string {
  const version = ciphertext.slice(0, 2);
  if ((version !== 'v1' && version !== 'v2') || ciphertext[2] !== '.')
    throw new Error('the ciphertext has an unknown version');
  const bytes = Buffer.from(ciphertext.slice(3), 'base64url');
  if (bytes.length < ivBytes + tagBytes) throw new Error('the ciphertext is truncated');
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(bound(context, version));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  return (version === 'v2' ? inflateRawSync(plain, { maxOutputLength: maxCompressedBytes }) : plain).toString('utf8');
}

/** Binds the form to the ciphertext, so that an attacker with write access cannot have one form read as the other. */
const bound = (context: string, version: 'v1' | 'v2'): Buffer =>
  Buffer.from(version === 'v2' ? `packed:${context}` : context);
