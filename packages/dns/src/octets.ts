/**
 * Conversions between octets and text with APIs of both browsers and Node, because the zone editor uses these files in the browser. They
 * are as fast as a Buffer for the short pieces of DNS data.
 */

const encoder = new TextEncoder();
// Like a Buffer: a byte order mark is a character, and invalid UTF-8 becomes U+FFFD.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The number of arguments that every engine accepts in one call. */
const CHUNK = 4_096;

export function utf8Octets(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

export function utf8Text(octets: Uint8Array): string {
  return decoder.decode(octets);
}

/** One character per octet. Not TextDecoder('latin1'), which is windows-1252. */
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
