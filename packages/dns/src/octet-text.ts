import { joined, utf8Octets, utf8Text } from './octets.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const BACKSLASH = 0x5c;

/**
 * Octets of a master file as equivalent text: valid UTF-8 unchanged, every other octet as \DDD (RFC 1035 5.1). Old
 * files have comments and strings in other encodings, which must not change their meaning.
 */
export function textOfOctets(octets: Uint8Array): string {
  try {
    return decoder.decode(octets);
  } catch {
    return escapedText(octets);
  }
}

function escapedText(octets: Uint8Array): string {
  const parts: Uint8Array[] = [];
  let plainFrom = 0;
  let isEscaped = false;
  for (let at = 0; at < octets.length; ) {
    const length = sequenceLength(octets, at);
    if (length > 0) {
      isEscaped = !isEscaped && octets[at] === BACKSLASH;
      at += length;
      continue;
    }
    parts.push(octets.subarray(plainFrom, at));
    // After a backslash the octet itself is meant, so its digits alone complete the escape.
    parts.push(utf8Octets(`${isEscaped ? '' : '\\'}${octets[at]}`));
    isEscaped = false;
    at++;
    plainFrom = at;
  }
  parts.push(octets.subarray(plainFrom));
  return utf8Text(joined(parts));
}

/** Length of the UTF-8 sequence that begins here (RFC 3629 4); 0 if there is none. */
function sequenceLength(octets: Uint8Array, at: number): number {
  const first = octets[at]!;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > octets.length) return 0;
  for (let more = 1; more < length; more++) if ((octets[at + more]! & 0xc0) !== 0x80) return 0;
  const second = octets[at + 1]!;
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const isBeyond = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return isOverlong || isBeyond ? 0 : length;
}
