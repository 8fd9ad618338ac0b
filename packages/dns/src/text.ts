import { NameError } from './error.ts';
import { readEscape } from './name.ts';
import { joined, latin1Text, utf8Octets } from './octets.ts';

export const MAX_STRING_OCTETS = 255;

/** Master-file text to octets: escapes resolved, characters beyond ASCII as UTF-8. Throws NameError on an invalid escape. */
export function unescapeOctets(text: string): Uint8Array {
  if (!text.includes('\\')) return utf8Octets(text);
  const parts: Uint8Array[] = [];
  let plainFrom = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '\\') {
      at++;
      continue;
    }
    const escaping = readEscape(text, at);
    if (at > plainFrom) parts.push(utf8Octets(text.slice(plainFrom, at)));
    parts.push(Uint8Array.of(escaping.octet));
    at += escaping.length;
    plainFrom = at;
  }
  parts.push(utf8Octets(text.slice(plainFrom)));
  return joined(parts);
}

/** Octets as the inside of a quoted string. */
export function escapeOctets(octets: Uint8Array): string {
  const plain = latin1Text(octets);
  if (!/[^\x20-\x7e]|["\\]/.test(plain)) return plain;
  let text = '';
  for (const octet of octets) {
    if (octet === 0x22 || octet === 0x5c) text += `\\${String.fromCharCode(octet)}`;
    else if (octet >= 0x20 && octet < 0x7f) text += String.fromCharCode(octet);
    else text += `\\${String(octet).padStart(3, '0')}`;
  }
  return text;
}

export function quoted(octets: Uint8Array): string {
  return `"${escapeOctets(octets)}"`;
}

export function hexText(octets: Uint8Array): string {
  return octets.toHex().toUpperCase();
}

export function parseHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text)) throw new NameError('is not an even number of hex digits');
  return Uint8Array.fromHex(text);
}

export function base64Text(octets: Uint8Array): string {
  return octets.toBase64();
}

export function parseBase64(text: string): Uint8Array {
  const padded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (!padded.test(text)) throw new NameError('is not base64');
  return Uint8Array.fromBase64(text);
}

const BASE32HEX = '0123456789ABCDEFGHIJKLMNOPQRSTUV';

/** RFC 4648 7 without padding, as NSEC3 writes hashed names. */
export function base32HexText(octets: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const octet of octets) {
    held = ((held << 8) | octet) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32HEX[(held >>> bits) & 31];
    }
  }
  return bits > 0 ? text + BASE32HEX[(held << (5 - bits)) & 31] : text;
}

export function parseBase32Hex(text: string): Uint8Array {
  const octets: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of text.toUpperCase()) {
    const value = BASE32HEX.indexOf(sign);
    if (value < 0) throw new NameError('is not base32hex');
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      octets.push((held >>> bits) & 0xff);
    }
  }
  if (bits >= 5 || (held & ((1 << bits) - 1)) !== 0) throw new NameError('is not whole octets of base32hex');
  return Uint8Array.from(octets);
}
