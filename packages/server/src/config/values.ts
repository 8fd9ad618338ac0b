import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { readHosts } from '@namehold/postgres';
import ipaddr from 'ipaddr.js';

/** The name, default, meaning and parser of a setting. docs/operate/settings.md is generated from these. */
export interface Setting<T> {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  parse(text: string): T;
}

export class SettingError extends Error {
  override name = 'SettingError';
}

export const setting = <T>(
  name: string,
  fallback: string,
  meaning: string,
  parse: (text: string) => T,
): Setting<T> => ({
  name,
  fallback,
  meaning,
  parse,
});

export const text = (value: string) => value;
export const optional = (value: string) => (value === '' ? undefined : value);
export const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export function integer(min: number, max: number, or = '') {
  return (value: string) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new SettingError(`a whole number from ${min} to ${max}${or}`);
    return number;
  };
}
export const port = integer(0, 65_535);

export function daysKept(least: number) {
  const days = integer(least, 36_500, ', or 0 for no limit');
  return (value: string) => (value === '0' ? 0 : days(value));
}
export const optionalPort = (value: string) => (value === '' || value === 'off' ? undefined : port(value));

export function oneOf<T extends string>(...values: T[]) {
  return (value: string) => {
    if (!values.includes(value as T)) throw new SettingError(`one of ${values.join(', ')}`);
    return value as T;
  };
}

export function ranges(value: string): string[] {
  return list(value).map((item) => {
    // ipaddr.js reads "10" as 0.0.0.10, which is never what the operator means.
    const isWritten = /^\d+\.\d+\.\d+\.\d+(\/\d+)?$/.test(item) || item.includes(':');
    if (!isWritten || (!ipaddr.isValid(item) && !ipaddr.isValidCIDR(item)))
      throw new SettingError(`addresses and ranges such as 10.0.0.0/8; ${item} is not one`);
    return item;
  });
}

export function repairable(value: string): ('nameservers' | 'ds')[] {
  return list(value).map((item) => {
    if (item !== 'nameservers' && item !== 'ds') throw new SettingError(`nameservers, ds or both; ${item} is neither`);
    return item;
  });
}

export function addresses(value: string): string[] {
  return list(value).map((item) => {
    if (isIP(item) === 0) throw new SettingError(`addresses such as 192.0.2.1; ${item} is not one`);
    return item;
  });
}

export function hostNames(value: string): string[] {
  return list(value).map((item) => {
    if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(item))
      throw new SettingError(`host names such as example.net; ${item} is not one`);
    return item.toLowerCase();
  });
}

export function masterKey(value: string): Buffer | undefined {
  if (value === '') return undefined;
  if (!/^[0-9a-f]{64}$/i.test(value)) throw new SettingError('64 hexadecimal digits (openssl rand -hex 32)');
  return Buffer.from(value, 'hex');
}

export function currency(value: string): string {
  if (!Intl.supportedValuesOf('currency').includes(value)) throw new SettingError('an ISO 4217 code such as EUR');
  return value;
}

/** RFC 1035 3.3: one character string of a TXT record. */
export function characterString(value: string): string {
  if (!/^[ -~]{0,255}$/.test(value)) throw new SettingError('at most 255 printable ASCII characters');
  return value;
}

export function cookieSecrets(value: string): string[] {
  const secrets = list(value);
  if (secrets.length > 2 || secrets.some((secret) => !/^[0-9a-f]{32}$/i.test(secret)))
    throw new SettingError('one or two secrets of 32 hexadecimal digits (openssl rand -hex 16)');
  return secrets;
}

export function srsSecrets(value: string): string[] {
  const secrets = list(value);
  if (secrets.length > 5 || secrets.some((secret) => !/^[!-~]{16,128}$/.test(secret)))
    throw new SettingError('up to five secrets of 16 to 128 characters (openssl rand -hex 32)');
  return secrets;
}

/** Lower case with the final dot, as in the DNS library. */
export function zoneName(value: string): string {
  const name = value.toLowerCase().replace(/\.$/, '');
  if (!/^([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(name) || name.length > 200)
    throw new SettingError('a domain name, such as catalog.example');
  return `${name}.`;
}

export function url(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^https?:\/\/[^/?#@\s]+\/?$/.test(value) || !URL.canParse(value))
    throw new SettingError('an http or https address without a path, such as https://api.example.net');
  return value.replace(/\/$/, '');
}

export function httpsUrl(value: string): string | undefined {
  if (value === '') return undefined;
  const parsed = URL.parse(value);
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.hash !== '')
    throw new SettingError('an https address, such as https://acme.example.net/directory');
  return value;
}

export function base64urlKey(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^[\w-]{16,}=*$/.test(value)) throw new SettingError('a key as base64url, of at least 16 characters');
  return value;
}

/** The format of Node's resolver: an address, with a port if it is not 53. */
export function resolverList(value: string): string[] {
  return list(value).map((item) => {
    const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?)$/.exec(item) ?? [];
    if (isIP(bracketed ?? plain ?? item) === 0)
      throw new SettingError(`addresses such as 192.0.2.53, 127.0.0.1:5300 or [2001:db8::53]:53; ${item} is not one`);
    return item;
  });
}

export function databaseUrl(value: string): string | undefined {
  if (value === '') return undefined;
  const address = /^postgres(ql)?:\/\//.test(value) ? readHosts(value) : undefined;
  if (address === undefined)
    throw new SettingError(
      'an address such as postgresql://user@host:5432/namehold, or of a cluster, postgresql://user@one:5432,two:5432/namehold (its primary is found by target_session_attrs=read-write)',
    );
  return address;
}

/** URLs of standbys. They have no login, because the logins of the primary are used. */
export function replicaUrl(value: string): string | undefined {
  const address = databaseUrl(value);
  if (address !== undefined && new URL(address).username !== '')
    throw new SettingError('an address without a login, such as postgresql://two:5432,three:5432/namehold');
  return address;
}

/** A path without arguments. It is run without a shell, so it cannot inject a command. */
export function program(value: string): string | undefined {
  if (value === '') return undefined;
  if (!isAbsolute(value))
    throw new SettingError('the absolute path of a program, such as /usr/local/bin/notify-operator');
  return value;
}

export function origins(value: string): string[] {
  return list(value).map((item) => {
    if (item !== '*' && (!URL.canParse(item) || new URL(item).origin !== item))
      throw new SettingError(`* or origins such as https://panel.example.net; ${item} is not one`);
    return item;
  });
}

/** An address of the installation: ASCII, and short enough for a tag before the @. */
export function mailAddress(value: string): string {
  if (!/^[a-z0-9._-]{1,20}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(value))
    throw new SettingError('an address such as notices@example.net, with at most 20 characters before the @');
  return value;
}

interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, required STARTTLS, or none. */
  readonly tls: 'implicit' | 'required' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
}

export function smtpUrl(value: string): SmtpServer | undefined {
  if (value === '') return undefined;
  const read = URL.canParse(value) ? new URL(value) : undefined;
  const scheme = read && /^smtps?:$/.test(read.protocol) ? read.protocol : undefined;
  const tlsMode = read?.searchParams.get('tls') ?? undefined;
  if (
    !read ||
    !scheme ||
    read.hostname === '' ||
    (tlsMode !== undefined && tlsMode !== 'none') ||
    read.pathname.length > 1
  )
    throw new SettingError('an address such as smtp://user:password@mail.example.net:587, smtps://... or ...?tls=none');
  const host = decodeURIComponent(read.hostname).replace(/^\[|\]$/g, '');
  const isHere = host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
  const isImplicit = scheme === 'smtps:';
  return {
    host,
    port: Number(read.port || (isImplicit ? 465 : 587)),
    tls: isImplicit ? 'implicit' : isHere || tlsMode === 'none' ? 'none' : 'required',
    user: decodeURIComponent(read.username) || undefined,
    password: decodeURIComponent(read.password) || undefined,
  };
}
