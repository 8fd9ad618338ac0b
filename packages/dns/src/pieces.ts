import { utf8Octets } from './octets.ts';
import { MAX_STRING_OCTETS } from './text.ts';

/** Quoted strings of TXT text (RFC 1035 3.3.14): one over 255 octets is split; readers join them. Other text is unchanged. */
export function cutLongStrings(text: string): string {
  return text.replaceAll(/"((?:[^"\\]|\\[\s\S])*)"/g, (whole, inner: string) => {
    const pieces = cut(inner);
    return pieces.length > 1 ? pieces.map((piece) => `"${piece}"`).join(' ') : whole;
  });
}

/** Never splits an escape or a character. */
function cut(inner: string): string[] {
  const pieces = [''];
  let octets = 0;
  for (const [sign] of inner.matchAll(/\\\d{3}|\\[\s\S]|[\s\S]/gu)) {
    const more = sign.startsWith('\\') ? 1 : utf8Octets(sign).length;
    if (octets + more > MAX_STRING_OCTETS) {
      pieces.push('');
      octets = 0;
    }
    octets += more;
    pieces[pieces.length - 1] += sign;
  }
  return pieces;
}
