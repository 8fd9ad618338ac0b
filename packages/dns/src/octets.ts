/**
 * Octets as text and back, with what browsers and Node both have: the zone editor runs these files in the browser. None of it
 * is slower than a Buffer for the short pieces that DNS is made of.
 */

const encoder = new TextEncoder();
// Like a Buffer: a byte order mark is a character, and what is no UTF-8 becomes U+FFFD.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** As many arguments as every engine takes in one call. */
const CHUNK = 4_096;

export function utf8Octets(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

export function utf8Text(octets: Uint8Array): string {
  return decoder.decode(octets);
}

/** One character an octet. Not TextDecoder('latin1'), which is windows-1252. */
export function latin1Text(octets: Uint8Array): string {
  if (octets.length <= CHUNK) return String.fromCharCode.apply(null, octets as unknown as number[]);
  let text = '';
  for (let at = 0; at < octets.length; at += CHUNK) text += latin1Text(octets.subarray(at, at + CHUNK));
  return text;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
