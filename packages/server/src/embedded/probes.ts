import { createServer } from 'node:net';
import { systemClock } from '@namehold/base';
import { connectUnpooled, endConnection, pendingMigrations } from '@namehold/postgres';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { roleProblem } from '../missing-roles.ts';

export interface Probe {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  readonly fix?: string;
}

const maxClockSkewMs = 2_000;

const firstAndLast = (names: readonly string[]) =>
  names.length <= 3 ? names.join(', ') : `${names[0]} to ${names.at(-1)}`;

/** Checks of `namehold doctor` after the settings. */
export async function probeDatabase(url: string, schemaFolder: string): Promise<Probe[]> {
  let client: pg.Client;
  try {
    client = await connectUnpooled(url, 'namehold doctor');
  } catch (error) {
    return [
      {
        name: 'database',
        ok: false,
        text: `cannot be reached: ${(error as Error).message}`,
        fix: 'check DATABASE_URL, or unset it to use the embedded database',
      },
    ];
  }
  try {
    const { rows } = await client.query<{ version: string; now: Date }>(
      `select current_setting('server_version_num') as version, clock_timestamp() as now`,
    );
    const { version, now } = rows[0]!;
    const roles = await roleProblem(client);
    const skew = Math.abs(systemClock.now().getTime() - now.getTime());
    const pending = await pendingMigrations(url, schemaFolder);
    return [
      {
        name: 'database',
        ok: Number(version) >= 150_000,
        text: `PostgreSQL ${Math.floor(Number(version) / 10_000)}`,
        fix: 'PostgreSQL 15 or newer is required',
      },
      {
        name: 'migrations',
        ok: pending.length === 0,
        text: pending.length === 0 ? 'up to date' : `${pending.length} missing: ${firstAndLast(pending)}`,
        fix: 'run namehold migrate',
      },
      {
        name: 'logins',
        ok: roles === undefined,
        text: roles?.text ?? 'the three roles exist and have their rights',
        ...(roles ? { fix: roles.fix } : {}),
      },
      {
        name: 'clock',
        ok: skew <= maxClockSkewMs,
        text: `differs from the clock of the database by ${skew} ms`,
        fix: 'run NTP on both machines',
      },
    ];
  } finally {
    await endConnection(client);
  }
}

/** An answered order must survive the loss of the primary, which requires synchronous replication. */
export async function probeReplication(url: string): Promise<Probe> {
  const name = 'replication';
  try {
    const client = await connectUnpooled(url, 'namehold doctor');
    const { rows } = await client
      .query<{ standbys: number; synchronous: number; hidden: number; login: string }>(
        `select count(*)::int as standbys, (count(*) filter (where sync_state in ('sync', 'quorum')))::int as synchronous,
           (count(*) filter (where sync_state is null))::int as hidden, current_user as login
         from pg_stat_replication where application_name is distinct from 'pg_basebackup'`,
      )
      .finally(() => endConnection(client));
    const { standbys, synchronous, hidden, login } = rows[0]!;
    if (standbys === 0)
      return { name, ok: true, text: 'no standby: data that is not in a backup is lost with this server' };
    const counted = `${standbys} ${standbys === 1 ? 'standby' : 'standbys'}`;
    if (hidden > 0) {
      const unknown = `${counted}; ${login} cannot see whether one of them is synchronous`;
      return { name, ok: false, text: unknown, fix: `as a superuser: grant pg_monitor to ${login}` };
    }
    const text = `${counted}, ${synchronous} of them synchronous`;
    const fix =
      'without one, answered orders are lost with the primary: set synchronous_standby_names (docs/operate/cluster.md)';
    return { name, ok: synchronous > 0, text, fix };
  } catch (error) {
    return { name, ok: false, text: (error as Error).message, fix: 'check the database' };
  }
}

async function probePort(name: string, host: string, port: number): Promise<Probe> {
  if (port === 0) return { name: `port ${name}`, ok: true, text: 'a free port is chosen at start' };
  const problem = await new Promise<string | undefined>((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (problem === 'EADDRINUSE')
    return {
      name: `port ${name}`,
      ok: true,
      text: `${host}:${port} is in use (by the running service, or by another program)`,
    };
  return {
    name: `port ${name}`,
    ok: problem === undefined,
    text: problem ? `${host}:${port}: ${problem}` : `${host}:${port} is free`,
    fix: `choose another address or port`,
  };
}

export async function probePorts(config: Config): Promise<Probe[]> {
  const ports: [string, string, number | undefined][] = [
    ['http', config.host, config.port],
    ['dns', config.dnsHosts[0]!, config.dnsPort],
    ['edge', config.redirectHost, config.redirectPort],
    ['mail', '127.0.0.1', config.mode === 'sandbox' ? config.sandboxSmtpPort : undefined],
    ['primary', config.primaryHost, config.primaryPort],
    ['sandbox', '127.0.0.1', config.mode === 'sandbox' ? config.sandboxPort : undefined],
  ];
  const wanted = ports.filter((entry): entry is [string, string, number] => entry[2] !== undefined);
  return Promise.all(wanted.map(([name, host, port]) => probePort(name, host, port)));
}
