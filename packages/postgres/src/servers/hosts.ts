import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The limit for one of several servers to report timelineQuery it accepts writes. */
const queryTimeoutMs = 3_000;
/** After the first server that accepts writes, the others have this long to report a later timeline. */
const otherServiceLimitMs = 500;
/** Clusters have a handful of servers; more is a mistake in a setting. */
const mostHosts = 9;

/**
 * Converts libpq's address of a cluster (`postgresql://user@one:5432,two:5432/namehold`) into a URL that every parser accepts: the first
 * host in place, all hosts in the parameter `hosts`. Undefined: not an address.
 */
export function readHosts(address: string): string | undefined {
  // Two hosts without ports are parsed as one host name with a comma.
  if (URL.canParse(address) && !new URL(address).hostname.includes(',')) return address;
  const [, before, hosts, after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^@/?]+)([/?].*)?$/.exec(address) ?? [];
  const each = hosts?.split(',') ?? [];
  if (each.length < 2 || each.length > mostHosts) return undefined;
  if (each.some((host) => host === '' || !URL.canParse(`${before}${host}${after}`))) return undefined;
  const url = new URL(`${before}${each[0]}${after}`);
  if (!/^(read-write|primary)$/.test(url.searchParams.get('target_session_attrs') ?? 'read-write')) return undefined;
  url.searchParams.delete('target_session_attrs');
  url.searchParams.set('hosts', each.join(','));
  return url.href;
}

/** One address for each server. */
export function addressesOf(url: string): string[] {
  const given = new URL(url);
  const hosts = given.searchParams.get('hosts')?.split(',');
  if (!hosts) return [url];
  given.searchParams.delete('hosts');
  return hosts.map((host) => {
    // Set through another URL, because the setter of `host` keeps the port of the first.
    const { hostname, port } = new URL(`postgresql://${host}`);
    const one = new URL(given);
    one.hostname = hostname;
    one.port = port;
    return one.href;
  });
}

/** No server of the wanted role was found. For the caller the database is unavailable. */
class NoServerFound extends Error {
  override name = 'NoServerFound';
  readonly code = 'ECONNREFUSED';
}

/** Finds, among several servers, the primary or a standby. The result is kept until a connection to it is lost. */
export class ServerLocator {
  readonly hasSeveralHosts: boolean;
  readonly url: string;
  readonly wants: 'primary' | 'standby';
  readonly #prove: (address: string) => Promise<unknown>;
  #found: Promise<string> | undefined;

  /** A standby counts as found only if `prove` does not reject. */
  constructor(
    url: string,
    wants: 'primary' | 'standby' = 'primary',
    prove: (address: string) => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.url = url;
    this.wants = wants;
    this.#prove = prove;
    this.hasSeveralHosts = addressesOf(url).length > 1;
  }

  find(): Promise<string> {
    if (!this.hasSeveralHosts && this.wants === 'primary') return Promise.resolve(this.url);
    this.#found ??= this.#findPrimary();
    const search = this.#found;
    search.catch(() => this.#found === search && this.leave());
    return search;
  }

  async #findPrimary(): Promise<string> {
    if (this.wants === 'primary') return primaryOf(this.url);
    const address = await standbyOf(this.url);
    await this.#prove(address);
    return address;
  }

  /** Searches again and ignores the kept result. */
  findAgain(): Promise<string> {
    this.leave();
    return this.find();
  }

  /** Returns false if there is no other server. */
  leave(): boolean {
    this.#found = undefined;
    return this.hasSeveralHosts;
  }
}

interface Primary {
  readonly address: string;
  readonly timeline: number;
}

/**
 * The address of the primary among several servers; a single server is not queried. A primary that was replaced without noticing accepts
 * writes until it is stopped. Each promotion begins a new timeline, so the server with the latest timeline is chosen.
 */
export async function primaryOf(url: string): Promise<string> {
  const addresses = addressesOf(url);
  if (addresses.length === 1) return addresses[0]!;
  const found: Primary[] = [];
  const queries = addresses.map(async (address) => found.push(await asPrimary(address)));
  try {
    await Promise.any(queries);
  } catch (error) {
    const { errors } = error as AggregateError;
    // A refused login is repaired by the caller, which needs the original error.
    const refused = errors.find((each: { code?: string }) => /^28/.test(each.code ?? ''));
    if (refused) throw refused;
    throw new NoServerFound(`no server accepts writes (${whyOf(error as AggregateError, addresses)})`);
  }
  const done = new AbortController();
  await Promise.race([
    Promise.allSettled(queries),
    sleep(otherServiceLimitMs, undefined, { signal: done.signal }).catch(() => undefined),
  ]);
  done.abort();
  return found.reduce((latest, each) => (each.timeline > latest.timeline ? each : latest)).address;
}

/** Contains hosts only, without user and password. */
const whyOf = ({ errors }: AggregateError, addresses: readonly string[]): string =>
  errors.map((each: Error, index) => `${new URL(addresses[index]!).host}: ${each.message}`).join('; ');

async function standbyOf(url: string): Promise<string> {
  const addresses = addressesOf(url);
  try {
    return await Promise.any(addresses.map(asStandby));
  } catch (error) {
    throw new NoServerFound(`no standby is available (${whyOf(error as AggregateError, addresses)})`);
  }
}

/** The timeline is the first part of the name of the current WAL file. */
const timelineQuery = `select case when not pg_is_in_recovery()
  then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;

async function asPrimary(address: string): Promise<Primary> {
  const timeline = await timelineAt(address);
  if (timeline === null) throw new Error('is a standby');
  return { address, timeline };
}

async function asStandby(address: string): Promise<string> {
  if ((await timelineAt(address)) !== null) throw new Error('is a primary');
  return address;
}

/** The timeline that the server writes; null: it is a standby. */
async function timelineAt(address: string): Promise<number | null> {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'namehold-primary',
    connectionTimeoutMillis: queryTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ timeline: number | null }>(timelineQuery)).rows[0]!.timeline;
  } finally {
    // Not awaited: a server that hangs would delay the result of one that answers.
    client.end().catch(() => undefined);
  }
}
