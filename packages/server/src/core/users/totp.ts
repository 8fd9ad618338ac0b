import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 with the values that every authenticator supports: SHA-1, six digits, thirty seconds. */
const stepMs = 30_000;
const digits = 6;
const secretBytes = 20;
/** Tolerates a clock difference of one step. */
const skew = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): string => base32(randomBytes(secretBytes));

export const stepAt = (at: Date): number => Math.floor(at.getTime() / stepMs);

export function totpCode(secret: string, step: number): string {
  const moving = Buffer.alloc(8);
  moving.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', fromBase32(secret)).update(moving).digest();
  const offset = hash[hash.length - 1]! & 0xf;
  const number = (hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The step of the code, or undefined. */
export function stepOf(secret: string, code: string, at: Date): number | undefined {
  const given = Buffer.from(code.replaceAll(' ', ''));
  const now = stepAt(at);
  let found: number | undefined;
  for (let step = now - skew; step <= now + skew; step++) {
    const wanted = Buffer.from(totpCode(secret, step));
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) found ??= step;
  }
  return found;
}

/** The content of the QR code for an authenticator. */
export function totpUri(secret: string, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&digits=${digits}&period=${stepMs / 1_000}`;
}

export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
