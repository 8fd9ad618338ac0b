const SECRET_ELEMENTS = ['pw', 'newPW'];
const MASK = '***';

// Any prefix, any attributes; a secret that the frame leaves unclosed is hidden up to the next tag or the end.
const SECRETS = new RegExp(
  `(<(?:[\\w.-]+:)?(?:${SECRET_ELEMENTS.join('|')})(?:\\s[^<>]*)?>)([\\s\\S]*?)(?=</(?:[\\w.-]+:)?(?:${SECRET_ELEMENTS.join('|')})\\s*>|$)`,
  'g',
);
const AUTH_INFO = /(<(?:[\w.-]+:)?authInfo(?:\s[^<>]*)?>)([\s\S]*?)(?=<\/(?:[\w.-]+:)?authInfo\s*>|$)/g;

/** The frame with every password and auth code hidden; for logs and error texts. */
export function redactFrame(xml: string): string {
  return xml
    .replace(AUTH_INFO, (_whole, open: string, inner: string) =>
      inner.includes('ext') ? `${open}${MASK}` : `${open}${inner.replace(SECRETS, `$1${MASK}`)}`,
    )
    .replace(SECRETS, `$1${MASK}`);
}
