import pg from 'pg';

/** How long one of several servers may take to say whether it takes writes. */
const askLimitMs = 3_000;
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

/** None of them takes writes now: to whoever asks the database is away. */
class NoPrimary extends Error {
  override name = 'NoPrimary';
  readonly code = 'ECONNREFUSED';
}

/** Of several servers the one that takes writes: looked for once, and again after a connection to it was lost. */
export class Place {
  readonly isOneOfSeveral: boolean;
  readonly #url: string;
  #found: Promise<string> | undefined;

  constructor(url: string) {
    this.#url = url;
    this.isOneOfSeveral = addressesOf(url).length > 1;
  }

  find(): Promise<string> {
    if (!this.isOneOfSeveral) return Promise.resolve(this.#url);
    this.#found ??= primaryOf(this.#url);
    const looking = this.#found;
    looking.catch(() => this.#found === looking && this.leave());
    return looking;
  }

  /** False: there is nowhere else to look. */
  leave(): boolean {
    this.#found = undefined;
    return this.isOneOfSeveral;
  }
}

/** The address of the server that takes writes, where there are several; the only one is not asked. */
export async function primaryOf(url: string): Promise<string> {
  const addresses = addressesOf(url);
  if (addresses.length === 1) return addresses[0]!;
  try {
    return await Promise.any(addresses.map(asPrimary));
  } catch (error) {
    const { errors } = error as AggregateError;
    // A wrong password is mended elsewhere, and only if it is known for what it is.
    const refused = errors.find((each: { code?: string }) => /^28/.test(each.code ?? ''));
    if (refused) throw refused;
    const why = errors.map((each: Error, i) => `${new URL(addresses[i]!).host}: ${each.message}`);
    throw new NoPrimary(`no server takes writes (${why.join('; ')})`);
  }
}

async function asPrimary(address: string): Promise<string> {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'namehold-primary',
    connectionTimeoutMillis: askLimitMs,
    query_timeout: askLimitMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    if (rows[0]!.standby) throw new Error('is a standby');
    return address;
  } finally {
    // Not waited for: one that hangs would hold up the answer of the one that works.
    client.end().catch(() => undefined);
  }
}
