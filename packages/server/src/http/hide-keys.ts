const key = /nh_[\w-]{20,}/i;
/** Deeper than any accidental encoding. */
const decodings = 4;

/** A text without any of these cannot contain a key, so most URLs need only this check. */
const traces = /nh_|%|[\w+/-]{30}/i;

/** True if the text contains a key, with any of its characters percent-encoded to any depth, or in base64 as in a header. */
export function holdsKey(text: string): boolean {
  if (!traces.test(text)) return false;
  let plain = text;
  for (let depth = 0; depth < decodings; depth++) {
    if (isPlaceholder(plain)) return true;
    const decoded = plain.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === plain) return false;
    plain = decoded;
  }
  return isPlaceholder(plain);
}

/** Four characters are three bytes, so a key anywhere in the run shows at one of four starts. */
const starts = [0, 1, 2, 3];

function isPlaceholder(text: string): boolean {
  if (key.test(text)) return true;
  return [...text.matchAll(/[\w+/-]{30,}/g)].some(([run]) =>
    starts.some((start) => key.test(Buffer.from(run.slice(start), 'base64').toString('latin1'))),
  );
}

/** A secret that a client put into a URL by mistake must not reach a log or a response. */
export function hideKeys(path: string): string {
  if (!traces.test(path) && !path.startsWith('/confirm/') && !path.includes('@')) return path;
  const shown = path
    // The token of a mail follows.
    .replace(/^\/confirm\/.*/s, '/confirm/(hidden)')
    .replace(/\/\/[^/?#]*@/g, '//(hidden)@')
    .split('/')
    .map((segment) => (holdsKey(segment) ? '(hidden)' : segment))
    .join('/');
  // Base64 can contain slashes, so the whole path is checked too.
  return holdsKey(shown) ? '(hidden)' : shown;
}
