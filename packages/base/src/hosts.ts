import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How long one of several servers may take to say whether it takes writes. */
const queryTimeoutMs = 3_000;
/** Once one of them has said that it does, another has so long to say that it does, and of a later timeline. */
const otherServiceLimitMs = 500;
/** A cluster has a handful; more is a mistake in a setting. */
const mostHosts = 9;

/**
 * libpq's address of a cluster (`postgresql://user@one:5432,two:5432/namehold`) in a form that every reader of addresses takes: the first host,
 * and all of them in `hosts`. Undefined: it is no address.
 */
export function readHosts(address: string): string | undefined {
  // Two hosts without ports read as one with a comma in its name.
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

/** One address for each server that it may be at. */
export function addressesOf(url: string): string[] {
  const given = new URL(url);
  const hosts = given.searchParams.get('hosts')?.split(',');
  if (!hosts) return [url];
  given.searchParams.delete('hosts');
  return hosts.map((host) => {
    // By way of another address: the setter of `host` keeps the port of the first.
    const { hostname, port } = new URL(`postgresql://${host}`);
    const one = new URL(given);
    one.hostname = hostname;
    one.port = port;
    return one.href;
  });
}

/** None of them is what was asked for: to whoever asks the database is away. */
class Nowhere extends Error {
  override name = 'Nowhere';
  readonly code = 'ECONNREFUSED';
}

/** Of several servers the one that takes writes, or one that only reads: looked for once, and again after a connection to it was lost. */
export class ServerLocator {
  readonly hasSeveralHosts: boolean;
  readonly url: string;
  readonly wants: 'primary' | 'standby';
  readonly #prove: (address: string) => Promise<unknown>;
  #found: Promise<string> | undefined;

  /** A standby counts as found when `prove` has nothing against it. */
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
    this.#found ??= this.#look();
    const looking = this.#found;
    looking.catch(() => this.#found === looking && this.leave());
    return looking;
  }

  async #look(): Promise<string> {
    if (this.wants === 'primary') return primaryOf(this.url);
    const address = await standbyOf(this.url);
    await this.#prove(address);
    return address;
  }

  /** Asks again where it is, whatever is remembered. */
  findAgain(): Promise<string> {
    this.leave();
    return this.find();
  }

  /** False: there is nowhere else to look. */
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
 * The address of the server that takes writes, where there are several; the only one is not asked. A primary that was replaced and has not noticed takes them
 * too, for as long as nobody stops it; each promotion begins a new timeline, so the last one counts.
 */
export async function primaryOf(url: string): Promise<string> {
  const addresses = addressesOf(url);
  if (addresses.length === 1) return addresses[0]!;
  const found: Primary[] = [];
  const asked = addresses.map(async (address) => found.push(await asPrimary(address)));
  try {
    await Promise.any(asked);
  } catch (error) {
    const { errors } = error as AggregateError;
    // A wrong password is mended elsewhere, and only if it is known for what it is.
    const refused = errors.find((each: { code?: string }) => /^28/.test(each.code ?? ''));
    if (refused) throw refused;
    throw new Nowhere(`no server takes writes (${whyOf(error as AggregateError, addresses)})`);
  }
  const done = new AbortController();
  await Promise.race([
    Promise.allSettled(asked),
    sleep(otherServiceLimitMs, undefined, { signal: done.signal }).catch(() => undefined),
  ]);
  done.abort();
  return found.reduce((latest, each) => (each.timeline > latest.timeline ? each : latest)).address;
}

/** Without the user and the password of the address. */
const whyOf = ({ errors }: AggregateError, addresses: readonly string[]): string =>
  errors.map((each: Error, index) => `${new URL(addresses[index]!).host}: ${each.message}`).join('; ');

async function standbyOf(url: string): Promise<string> {
  const addresses = addressesOf(url);
  try {
    return await Promise.any(addresses.map(asStandby));
  } catch (error) {
    throw new Nowhere(`no standby answers (${whyOf(error as AggregateError, addresses)})`);
  }
}

/** The timeline is the beginning of the name of the file that is written to. */
const whether = `select case when not pg_is_in_recovery()
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

/** Where it writes; null: it is a standby. */
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
    return (await client.query<{ timeline: number | null }>(whether)).rows[0]!.timeline;
  } finally {
    // Not waited for: one that hangs would hold up the answer of the one that works.
    client.end().catch(() => undefined);
  }
}
