import { randomBytes, randomUUIDv7 } from 'node:crypto';

/** Ids and randomness are injected, so that a test can repeat a run from its seed. */
export interface Ids {
  /** `op_01j...`: prefix, then a time-ordered random part in Crockford's base32. */
  next(prefix: string): string;
  /** Random text in the given alphabet. */
  text(length: number, alphabet: string): string;
}

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let held = 0;
  let out = '';
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += crockford[(held >> bits) & 31];
      held &= (1 << bits) - 1;
    }
  }
  if (bits > 0) out += crockford[(held << (5 - bits)) & 31];
  return out;
}

function textFrom(random: (length: number) => Uint8Array, length: number, alphabet: string): string {
  // One byte selects one letter. An empty alphabet or one of more than 256 letters would loop for ever.
  if (alphabet.length < 1 || alphabet.length > 256) throw new RangeError('an alphabet must have 1 to 256 letters');
  // Bytes past the largest multiple of the alphabet size are discarded, so that all letters are equally likely.
  const ceiling = 256 - (256 % alphabet.length);
  let out = '';
  while (out.length < length) {
    for (const byte of random(length)) {
      if (byte < ceiling && out.length < length) out += alphabet[byte % alphabet.length];
    }
  }
  return out;
}

export const systemIds: Ids = {
  next: (prefix) => `${prefix}_${base32(Buffer.from(randomUUIDv7().replaceAll('-', ''), 'hex'))}`,
  text: (length, alphabet) => textFrom(randomBytes, length, alphabet),
};

/** A small seeded generator (mulberry32): the same seed gives the same sequence. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
