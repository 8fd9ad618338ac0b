import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Secrets at rest. One master key outside the database; each purpose has a key of its own derived from it. */
export interface Vault {
  /** `context` says what the secret belongs to; a sealed text moved to another row does not open. */
  encrypt(plain: string, context: string): string;
  /** The same in less room. For records that are kept long and that nobody may measure while choosing what stands in them. */
  encryptCompressed(plain: string, context: string): string;
  open(ciphertext: string, context: string): string;
  /** Whether it opens with the key that is sealed with now, and not only with one that is being replaced. */
  isCurrent(ciphertext: string, context: string): boolean;
  /** Keyed hash for look-ups: useless to who has only the database. */
  fingerprint(text: string): string;
}

/** While a master key is being replaced, the former ones still open what they sealed. */
export interface MasterKeys {
  readonly current: Buffer;
  readonly former: readonly Buffer[];
}

export const masterKeyBytes = 32;
const ivBytes = 12;
/** Said outright: left open, the runtime takes tags of four bytes as well, which can be guessed. */
const tagBytes = 16;
/** Larger ones are kept as they are: packing holds up the main thread. */
const maxCompressedBytes = 65_536;

const derive = (masterKey: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', masterKey, '', `namehold:${purpose}`, 32));

/** Stays the same for the life of a database, since hashes cannot be made anew: the first master key's, sealed under later ones. */
export const fingerprintKeyOf = (masterKey: Buffer): Buffer => derive(masterKey, 'fingerprint');

/** The keys are asked for at each use: they may change while the process runs. */
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
  // As an object: from octets it would be made anew for each request.
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
          // Sealed with another one.
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
    throw new Error('sealed text of an unknown version');
  const bytes = Buffer.from(ciphertext.slice(3), 'base64url');
  if (bytes.length < ivBytes + tagBytes) throw new Error('sealed text is cut short');
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(bound(context, version));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  return (version === 'v2' ? inflateRawSync(plain, { maxOutputLength: maxCompressedBytes }) : plain).toString('utf8');
}

/** Who can write rows cannot have one form read as the other. */
const bound = (context: string, version: 'v1' | 'v2'): Buffer =>
  Buffer.from(version === 'v2' ? `packed:${context}` : context);
