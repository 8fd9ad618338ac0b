const MASK = '***';

// Any prefix, in letters of any script; any attributes.
const PREFIX = '(?:[^\\s<>/:]+:)?';
const openingOf = (names: string) => new RegExp(`<${PREFIX}(?:${names})(?:\\s[^<>]*)?>`, 'g');
/** The possible ends of an element, and constructs that can contain the same text without being an end. */
const endingOf = (names: string) => new RegExp(`<!\\[CDATA\\[|<!--|</${PREFIX}(?:${names})\\s*>`, 'g');

// RFC 8495 section 6: an allocation token must be kept as secret as an auth code.
const SECRET_NAMES = 'pw|newPW|allocationToken';
const SECRETS = { opening: openingOf(SECRET_NAMES), ending: endingOf(SECRET_NAMES) };
const AUTH_INFO = { opening: openingOf('authInfo'), ending: endingOf('authInfo') };

/** The frame with every password and auth code hidden; for logs and error texts. */
export function redactFrame(xml: string): string {
  const hidden = within(xml, AUTH_INFO, (inner) => (inner.includes('ext') ? MASK : within(inner, SECRETS, () => MASK)));
  return within(hidden, SECRETS, () => MASK);
}

/** Rewrites the content of these elements. An unclosed element extends to the end. */
function within(xml: string, { opening, ending }: typeof SECRETS, rewrite: (inner: string) => string): string {
  let written = '';
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const open = opening.exec(xml);
    if (open === null) return written + xml.slice(at);
    const from = open.index + open[0].length;
    const to = endFrom(xml, from, ending);
    written += xml.slice(at, from) + rewrite(xml.slice(from, to));
    at = to;
  }
}

function endFrom(xml: string, from: number, ending: RegExp): number {
  let at = from;
  for (;;) {
    ending.lastIndex = at;
    const found = ending.exec(xml);
    if (found === null) return xml.length;
    if (found[0].startsWith('</')) return found.index;
    const closed = found[0] === '<!--' ? '-->' : ']]>';
    const past = xml.indexOf(closed, found.index + found[0].length);
    if (past === -1) return xml.length;
    at = past + closed.length;
  }
}
