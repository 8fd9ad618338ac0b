/**
 * A loopback address as a host name. Passkeys need one, and a session is valid only for the host of its sign-in, so all links to the
 * console use it.
 */
export const withHostName = (url: string): string =>
  url.replace(/^http:\/\/(127\.0\.0\.1|0\.0\.0\.0)(?=:|$)/, 'http://localhost');
