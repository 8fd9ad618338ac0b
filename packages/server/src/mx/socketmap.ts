import type { Talk } from './talk-server.ts';

/** What a map says to a key. */
export type Found =
  | { readonly kind: 'ok'; readonly data: string }
  | { readonly kind: 'notfound' }
  | { readonly kind: 'temp' | 'perm'; readonly why: string };

/** Postfix's socketmap_table(5): `<name> <key>` and its answer, each a netstring. */
/** 50 recipients in one key. */
const longestKey = 16_000;
const head = /^(0|[1-9]\d{0,4}):/;
const request = /^(\w{1,32}) ([\s\S]*)$/;

export function socketmap(lookUp: (map: string, key: string) => Found): Talk {
  return {
    read(received) {
      const start = received.subarray(0, 6).toString('latin1');
      const [prefix, length] = head.exec(start) ?? [];
      if (prefix === undefined) {
        if (received.length >= 6 || !/^\d*$/.test(start)) throw new Error('no netstring');
        return undefined;
      }
      const size = Number(length);
      if (size > longestKey) throw new Error('too long a key');
      const end = prefix.length + size;
      if (received.length <= end) return undefined;
      if (received[end] !== 0x2c) throw new Error('no netstring');
      return { request: received.toString('utf8', prefix.length, end), end: end + 1 };
    },
    answer(text) {
      const [, map, key] = request.exec(text) ?? [];
      const said = map === undefined ? 'PERM no map is named' : inWords(lookUp(map, key!));
      return `${Buffer.byteLength(said)}:${said},`;
    },
  };
}

function inWords(found: Found): string {
  if (found.kind === 'ok') return `OK ${found.data}`;
  return found.kind === 'notfound' ? 'NOTFOUND ' : `${found.kind === 'temp' ? 'TEMP' : 'PERM'} ${found.why}`;
}
