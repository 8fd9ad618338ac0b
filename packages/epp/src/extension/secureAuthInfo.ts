import type { AuthInfo } from '../model/common.ts';

/** RFC 9154 4.1: a strong value has at least 128 bits of entropy. */
const STRONG_AUTH_INFO_BITS = 128;

// RFC 9154 4.1: printable ASCII without the space, 94 characters.
const FIRST_PRINTABLE = 0x21;
const PRINTABLE_COUNT = 94;

/** The length of a strong value: 20 characters of 94. */
export const STRONG_AUTH_INFO_LENGTH = Math.ceil(STRONG_AUTH_INFO_BITS / Math.log2(PRINTABLE_COUNT));

/** Converts random bytes into a strong value without bias. Requests more bytes if some were skipped. */
export function strongAuthInfo(randomBytes: (count: number) => Uint8Array): AuthInfo {
  // Excludes XML-significant characters and those that break shells and forms; the length compensates for it.
  const alphabet = Array.from({ length: PRINTABLE_COUNT }, (_, at) => String.fromCharCode(FIRST_PRINTABLE + at)).filter(
    (char) => !'<>&"\'\\`'.includes(char),
  );
  const usable = 256 - (256 % alphabet.length);
  const wanted = Math.ceil(STRONG_AUTH_INFO_BITS / Math.log2(alphabet.length));
  let pw = '';
  while (pw.length < wanted) {
    for (const byte of randomBytes(wanted)) {
      if (byte < usable && pw.length < wanted) pw += alphabet[byte % alphabet.length];
    }
  }
  return { pw };
}
