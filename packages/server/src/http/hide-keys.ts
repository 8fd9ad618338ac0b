const key = /nh_[\w-]{20,}/i;
/** Deeper than anybody encodes by mistake. */
const decodings = 4;

/** Without any of these no key can stand in a text: most addresses are known to be harmless by one look. */
const traces = /nh_|%|[\w+/-]{30}/i;

/** True where a key stands in the text, in any depth of percent-encoding of any of its letters, or in base64 as in a header. */
export function holdsKey(text: string): boolean {
  if (!traces.test(text)) return false;
  let plain = text;
  for (let depth = 0; depth < decodings; depth++) {
    if (standsIn(plain)) return true;
    const decoded = plain.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === plain) return false;
    plain = decoded;
  }
  return standsIn(plain);
}

/** Four letters are three octets: a text that begins anywhere in the run shows at one of four starts. */
const starts = [0, 1, 2, 3];

function standsIn(text: string): boolean {
  if (key.test(text)) return true;
  return [...text.matchAll(/[\w+/-]{30,}/g)].some(([run]) =>
    starts.some((start) => key.test(Buffer.from(run.slice(start), 'base64').toString('latin1'))),
  );
}

/** A secret that a client put into an address by mistake must not reach a log or an answer. */
export function hideKeys(path: string): string {
  if (!traces.test(path) && !path.startsWith('/confirm/') && !path.includes('@')) return path;
  const shown = path
    // What follows is the token of a mail.
    .replace(/^\/confirm\/.*/s, '/confirm/(hidden)')
    .replace(/\/\/[^/?#]*@/g, '//(hidden)@')
    .split('/')
    .map((segment) => (holdsKey(segment) ? '(hidden)' : segment))
    .join('/');
  // Base64 has slashes of its own: what stands in no part may stand in the whole.
  return holdsKey(shown) ? '(hidden)' : shown;
}
