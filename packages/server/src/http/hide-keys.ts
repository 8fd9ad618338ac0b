const key = /nh_[\w-]{20,}/i;
/** Deeper than anybody encodes by mistake. */
const decodings = 4;

/** True where a key stands in the text, in any depth of percent-encoding of any of its letters. */
export function holdsKey(text: string): boolean {
  let plain = text;
  for (let depth = 0; depth < decodings; depth++) {
    if (key.test(plain)) return true;
    const decoded = plain.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === plain) return false;
    plain = decoded;
  }
  return key.test(plain);
}

/** A secret that a client put into an address by mistake must not reach a log or an answer. */
export function hideKeys(path: string): string {
  return (
    path
      // What follows is the token of a mail.
      .replace(/^\/confirm\/.*/s, '/confirm/(hidden)')
      .replace(/\/\/[^/?#]*@/g, '//(hidden)@')
      .split('/')
      .map((segment) => (holdsKey(segment) ? '(hidden)' : segment))
      .join('/')
  );
}
