import { isIPv4 } from 'node:net';
import { parseIpv4, parseIpv6 } from '../address.ts';
import { sipHash24 } from './siphash.ts';

const CLIENT_OCTETS = 8;
const SERVER_OCTETS = 16;
const VERSION = 1;
/** RFC 9018 4.3: a cookie older than an hour, or from more than five minutes ahead, is not accepted. */
const MAX_AGE_SECONDS = 3_600;
const MAX_AHEAD_SECONDS = 300;

/**
 * DNS cookies (RFC 7873, RFC 9018): a client with a valid cookie has proven its address. Secrets have 16 octets; the first one makes new
 * cookies.
 */
export interface CookieSecrets {
  readonly secrets: readonly Uint8Array[];
}

/** The whole option for the answer: client cookie and server cookie. */
export function makeCookie(
  { secrets }: CookieSecrets,
  client: Uint8Array,
  address: string,
  nowSeconds: number,
): Uint8Array {
  const cookie = new Uint8Array(CLIENT_OCTETS + SERVER_OCTETS);
  cookie.set(client.subarray(0, CLIENT_OCTETS));
  cookie[CLIENT_OCTETS] = VERSION;
  new DataView(cookie.buffer).setUint32(CLIENT_OCTETS + 4, nowSeconds >>> 0);
  cookie.set(hashOf(secrets[0]!, cookie, address), SERVER_OCTETS);
  return cookie;
}

/** Whether the cookie is ours, for this address, and recent. */
export function isOwnCookie(
  { secrets }: CookieSecrets,
  cookie: Uint8Array,
  address: string,
  nowSeconds: number,
): boolean {
  if (cookie.length !== CLIENT_OCTETS + SERVER_OCTETS || cookie[CLIENT_OCTETS] !== VERSION) return false;
  const made = new DataView(cookie.buffer, cookie.byteOffset).getUint32(CLIENT_OCTETS + 4);
  // RFC 1982: the clock of the cookie wraps around.
  const age = (nowSeconds - made) | 0;
  if (age > MAX_AGE_SECONDS || -age > MAX_AHEAD_SECONDS) return false;
  return secrets.some((secret) => {
    const hash = hashOf(secret, cookie, address);
    let difference = 0;
    for (let at = 0; at < hash.length; at++) difference |= hash[at]! ^ cookie[SERVER_OCTETS + at]!;
    return difference === 0;
  });
}

/** RFC 9018 4.4: the client's cookie, version, reserved octets, time, and the client's address. */
function hashOf(secret: Uint8Array, cookie: Uint8Array, address: string): Uint8Array {
  const octets = isIPv4(address) ? parseIpv4(address) : parseIpv6(address.replace(/%.*$/, ''));
  const message = new Uint8Array(SERVER_OCTETS + octets.length);
  message.set(cookie.subarray(0, SERVER_OCTETS));
  message.set(octets, SERVER_OCTETS);
  return sipHash24(secret, message);
}
