import { isIPv4, isIPv6 } from 'node:net';

/**
 * An IP address in its canonical form (RFC 5952 4), so that two spellings of one address compare as equal. Undefined: not an IP address.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes('%')) return undefined;
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}
