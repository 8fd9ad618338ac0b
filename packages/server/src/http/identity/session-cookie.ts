import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127(\.\d+){3}$/.test(host);

/** Without TLS only on the same machine. Elsewhere a browser keeps the cookie only over HTTPS. */
function isPlain(config: Config): boolean {
  if (config.tlsCertFile) return false;
  if (!config.publicUrl) return config.mode === 'sandbox' && isLoopback(config.host);
  const { protocol, hostname } = new URL(config.publicUrl);
  return protocol === 'http:' && isLoopback(hostname);
}

/** `__Host-`: no other host and no unencrypted page can set or overwrite it. */
export const cookieName = (config: Config) => (isPlain(config) ? 'namehold' : '__Host-namehold');

export const attributesOf = (config: Config) => `Path=/; HttpOnly; SameSite=Strict${isPlain(config) ? '' : '; Secure'}`;

export function sessionCookie(config: Config, secret: string, endsAt: Date, now: Date): string {
  const seconds = Math.max(0, Math.floor((endsAt.getTime() - now.getTime()) / 1_000));
  return `${cookieName(config)}=${secret}; Max-Age=${seconds}; ${attributesOf(config)}`;
}

export const endedCookie = (config: Config): string => `${cookieName(config)}=; Max-Age=0; ${attributesOf(config)}`;

/** Undefined: no cookie. Two cookies with the name count as none, because one may have been planted. */
export function sessionSecretOf(request: FastifyRequest, config: Config): string | undefined {
  const values = cookiesOf(request.headers.cookie, cookieName(config));
  return values.length === 0 ? undefined : values.length === 1 ? values[0] : '';
}

export const cookiesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
