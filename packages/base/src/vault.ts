import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Secrets at rest. One master key outside the database; each purpose has a key of its own derived from it. */
export interface Vault {
  /** `context` says what the secret belongs to; a sealed text moved to another row does not open. */
  seal(plain: string, context: string): string;
  /** The same in less room. For records that are kept long and that nobody may measure while choosing what stands in them. */
  sealPacked(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** Whether it opens with the key that is sealed with now, and not only with one that is being replaced. */
  isCurrent(sealed: string, context: string): boolean;
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
const packedAtMost = 65_536;

const derive = (masterKey: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', masterKey, '', `namehold:${purpose}`, 32));

/** Stays the same for the life of a database, since hashes cannot be made anew: the first master key's, sealed under later ones. */
export const fingerprintKeyOf = (masterKey: Buffer): Buffer => derive(masterKey, 'fingerprint');

/** The keys are asked for at each use: they may change while the process runs. */
export function openVault(source: Buffer | (() => MasterKeys), fingerprintKey?: Buffer): Vault {
  const sealKeys = new Map<string, Buffer>();
  const sealKey = (masterKey: Buffer): Buffer => {
    if (masterKey.length !== masterKeyBytes) throw new Error(`the master key must be ${masterKeyBytes} bytes`);
    const name = masterKey.toString('hex');
    const known = sealKeys.get(name) ?? derive(masterKey, 'seal');
    sealKeys.set(name, known);
    return known;
  };
  const keys = typeof source === 'function' ? source : () => ({ current: source, former: [] });
  sealKey(keys().current);
  // As an object: from octets it would be made anew for each request.
  const hashKey = createSecretKey(fingerprintKey ?? fingerprintKeyOf(keys().current));
  return {
    seal: (plain, context) => seal(sealKey(keys().current), Buffer.from(plain), context, 'v1'),
    sealPacked(plain, context) {
      const whole = Buffer.from(plain);
      const isPacked = whole.length <= packedAtMost;
      return seal(sealKey(keys().current), isPacked ? deflateRawSync(whole) : whole, context, isPacked ? 'v2' : 'v1');
    },
    open(sealed, context) {
      const { current, former } = keys();
      for (const key of former) {
        try {
          return open(sealKey(key), sealed, context);
        } catch {
          // Sealed with another one.
        }
      }
      return open(sealKey(current), sealed, context);
    },
    isCurrent(sealed, context) {
      try {
        open(sealKey(keys().current), sealed, context);
        return true;
      } catch {
        return false;
      }
    },
    fingerprint: (text) => createHmac('sha256', hashKey).update(text).digest('hex'),
  };
}

function seal(key: Buffer, plain: Buffer, context: string, version: 'v1' | 'v2'): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(bound(context, version));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

function open(key: Buffer, sealed: string, context: string): string {
  const version = sealed.slice(0, 2);
  if ((version !== 'v1' && version !== 'v2') || sealed[2] !== '.') throw new Error('sealed text of an unknown version');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  if (bytes.length < ivBytes + tagBytes) throw new Error('sealed text is cut short');
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(bound(context, version));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  return (version === 'v2' ? inflateRawSync(plain, { maxOutputLength: packedAtMost }) : plain).toString('utf8');
}

/** Who can write rows cannot have one form read as the other. */
const bound = (context: string, version: 'v1' | 'v2'): Buffer =>
  Buffer.from(version === 'v2' ? `packed:${context}` : context);
