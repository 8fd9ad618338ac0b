import { addressesOf } from '@namehold/postgres';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';

/** Reasons why production mode does not start, one sentence each. */
export function weaknesses(config: Config): string[] {
  const found: string[] = [];
  if (!config.masterKey && !config.masterKeyCommand)
    found.push('NAMEHOLD_MASTER_KEY or NAMEHOLD_MASTER_KEY_COMMAND must be set in production mode');
  if (!isLoopback(config.host) && !config.tlsCertFile && config.trustedProxies.length === 0) {
    found.push(
      'NAMEHOLD_HOST is a public address: set NAMEHOLD_TLS_CERT_FILE and NAMEHOLD_TLS_KEY_FILE, or NAMEHOLD_TRUSTED_PROXIES for a proxy that terminates TLS',
    );
  }
  if (config.masterKey && isWeakKey(config.masterKey))
    found.push('NAMEHOLD_MASTER_KEY is not random: create one with openssl rand -hex 32');
  const wide = tooWide(config.trustedProxies);
  if (wide)
    found.push(
      `NAMEHOLD_TRUSTED_PROXIES contains ${wide}: every host in a trusted range can claim any client address and pass any whitelist; list only your proxies`,
    );
  for (const [name, address] of [
    ['DATABASE_URL', config.databaseUrl],
    ['NAMEHOLD_DATABASE_APP_URL', config.databaseAppUrl],
    ['NAMEHOLD_DATABASE_SCHEDULER_URL', config.databaseSchedulerUrl],
    ['NAMEHOLD_DATABASE_RETENTION_URL', config.databaseRetentionUrl],
    ['NAMEHOLD_DATABASE_REPLICA_URL', config.databaseReplicaUrl],
    ['NAMEHOLD_SANDBOX_DATABASE_URL', config.sandboxDatabaseUrl],
  ] as const) {
    if (address && !isLocalOrTls(address))
      found.push(`${name} is on another machine: add sslmode=verify-full (or verify-ca, require) to it, once`);
  }
  const servesMetrics = [config.metricsPort, config.dnsMetricsPort, config.redirectMetricsPort].some(
    (port) => port !== undefined,
  );
  if (servesMetrics && !isPrivate(config.metricsHost))
    found.push('NAMEHOLD_METRICS_HOST is a public address: metrics belong on loopback or a private network');
  if (config.smtpUrl && config.mailFrom.endsWith('.invalid'))
    found.push('NAMEHOLD_MAIL_FROM must be one of your addresses if NAMEHOLD_SMTP_URL is set');
  if (!config.publicUrl) found.push('NAMEHOLD_PUBLIC_URL must be set in production mode');
  else if (!config.publicUrl.startsWith('https://'))
    found.push(
      'NAMEHOLD_PUBLIC_URL must begin with https:// in production mode: links in mail and session cookies depend on it',
    );
  if (config.testFaults.length > 0) found.push('NAMEHOLD_TEST_FAULTS is for sandbox mode');
  return found;
}

const leastDistinctBytes = 16;

/** 32 random bytes have about 30 different values, and fewer than 16 with a probability below 10^-12. Fewer indicate a typed key. */
export function isWeakKey(key: Uint8Array): boolean {
  return new Set(key).size < leastDistinctBytes;
}

/** Compares whole addresses and the one name, because 127.evil.example is a foreign host. */
const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function isLocalOrTls(address: string): boolean {
  const { searchParams } = new URL(address);
  const named = searchParams.getAll('host');
  const hosts = named.length > 0 ? named : addressesOf(address).map((one) => decodeURIComponent(new URL(one).hostname));
  const isLocal = (host: string) => host === '' || host.startsWith('/') || isLoopback(host.replace(/^\[|\]$/g, ''));
  const modes = searchParams.getAll('sslmode');
  // With several values, the PostgreSQL client might use a different one than this check.
  return hosts.every(isLocal) || (modes.length === 1 && /^(require|verify-ca|verify-full)$/.test(modes[0]!));
}

const privateRanges = ['private', 'uniqueLocal', 'carrierGradeNat', 'linkLocal', 'loopback'];

function isPrivate(host: string): boolean {
  return isLoopback(host) || (ipaddr.isValid(host) && privateRanges.includes(ipaddr.process(host).range()));
}

interface Range {
  readonly family: 'ipv4' | 'ipv6';
  readonly bits: number;
  readonly isPrivate: boolean;
}

/** The widest allowed range, which is also the limit for all public ranges together. */
const widestBits = { ipv4: 8, ipv6: 16 };
const mappedBits = 96;

/** The first range that is too wide, alone or together with those before it. */
function tooWide(ranges: readonly string[]): string | undefined {
  const share = { ipv4: 0, ipv6: 0 };
  return ranges.find((text) => {
    const { family, bits, isPrivate } = rangeOf(text);
    // A range of the widest size counts as one.
    if (!isPrivate) share[family] += 2 ** (widestBits[family] - bits);
    return bits < widestBits[family] || share[family] > 1;
  });
}

/** `::ffff:0:0/96` is 0.0.0.0/0, and so is every range that contains it. */
function rangeOf(text: string): Range {
  const [written, length] = text.split('/') as [string, string?];
  const address = ipaddr.parse(written);
  const size = address.kind() === 'ipv4' ? 32 : 128;
  const bits = length === undefined ? size : Number(length);
  if (address.kind() === 'ipv4') return { family: 'ipv4', bits, isPrivate: privateRanges.includes(address.range()) };
  const v6 = address as ipaddr.IPv6;
  if (v6.isIPv4MappedAddress() && bits >= mappedBits)
    return rangeOf(`${v6.toIPv4Address().toString()}/${bits - mappedBits}`);
  if (bits < mappedBits && ipaddr.IPv6.parse('::ffff:0:0').match(v6, bits))
    return { family: 'ipv4', bits: 0, isPrivate: false };
  return { family: 'ipv6', bits, isPrivate: privateRanges.includes(v6.range()) };
}
