import type { RequestProtocol } from './protocol-server.ts';

/** The reply of a map. */
export type Found =
  | { readonly kind: 'ok'; readonly data: string }
  | { readonly kind: 'notfound' }
  | { readonly kind: 'temp' | 'perm'; readonly why: string };

/** 50 recipients in one key. */
const longestKey = 16_000;
const mostDigits = 5;

/** The protocol of Postfix's socketmap_table(5): `<name> <key>` and the reply, each a netstring. */
export function socketmap(lookup: (map: string, key: string) => Found): RequestProtocol {
  return {
    read(received) {
      const begin = beginOf(received);
      if (begin === undefined) return undefined;
      const size = Number(received.toString('latin1', 0, begin - 1));
      if (size > longestKey) throw new Error('key too long');
      const end = begin + size;
      if (received.length <= end) return undefined;
      if (received[end] !== 0x2c) throw new Error('no netstring');
      return { request: received.toString('utf8', begin, end), end: end + 1 };
    },
    answer(text) {
      const at = text.indexOf(' ');
      const reply = at < 1 ? 'PERM no map name given' : replyText(lookup(text.slice(0, at), text.slice(at + 1)));
      return `${Buffer.byteLength(reply)}:${reply},`;
    },
  };
}

/** The content after the length and its colon. Undefined: incomplete. */
function beginOf(received: Buffer): number | undefined {
  for (let at = 0; at < received.length; at++) {
    const octet = received[at]!;
    if (octet === 0x3a && at > 0) return at + 1;
    const isDigit = octet >= 0x30 && octet <= 0x39;
    if (!isDigit || at === mostDigits || (at === 1 && received[0] === 0x30)) throw new Error('no netstring');
  }
  return undefined;
}

function replyText(found: Found): string {
  if (found.kind === 'ok') return `OK ${found.data}`;
  return found.kind === 'notfound' ? 'NOTFOUND ' : `${found.kind === 'temp' ? 'TEMP' : 'PERM'} ${found.why}`;
}
