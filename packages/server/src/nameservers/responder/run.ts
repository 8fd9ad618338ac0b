import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { requireFreePort } from '@namehold/base';
import { openDatabase } from '@namehold/postgres';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Log } from '../../core/app-context.ts';
import { DatabaseListener } from '../database-listener.ts';
import { ZoneFollower } from '../zone-follower.ts';
import { type NameserverSettings, type NameserverState, stateFile } from './settings.ts';
import { AnswerThreads } from './threads.ts';
import { ZoneFeeder } from './zone-feeder.ts';
import { ZoneLog } from './zone-log.ts';

interface Counted {
  readonly counts: readonly (readonly [string, number])[];
}

/** Counters of the threads, collected at each scrape. */
function registerAnswerMetrics(registry: Registry, threads: AnswerThreads, zoneCount: () => number): void {
  const registers = [registry];
  const seen = new Map<string, number>();
  new Counter({
    name: 'namehold_dns_answers_total',
    help: 'Answers of the embedded nameserver, by transport and rcode',
    labelNames: ['transport', 'rcode'],
    registers,
    async collect() {
      const now = new Map<string, number>();
      for (const { counts } of (await threads.notify({ kind: 'count' })) as Counted[])
        for (const [key, count] of counts) now.set(key, (now.get(key) ?? 0) + count);
      for (const [key, count] of now) {
        const [transport = '', rcode = ''] = key.split(' ');
        this.labels(transport, rcode).inc(count - (seen.get(key) ?? 0));
        seen.set(key, count);
      }
    },
  });
  new Gauge({
    name: 'namehold_dns_zones',
    help: 'Zones in memory of the embedded nameserver',
    registers,
    collect() {
      this.set(zoneCount());
    },
  });
}

export interface RunningNameserver {
  readonly state: NameserverState;
  stop(): Promise<void>;
}

interface RunOptions {
  readonly log: Log;
  readonly metrics: Registry;
  readonly isOwn: boolean;
  /** A thread has ended; the supervisor restarts the process. */
  onEnd(): void;
}

const FLUSH_MS = 2_000;
const COOKIE_MS = 86_400_000;
const DATABASE_CONNECTIONS = 2;

/** The public nameserver: answers from memory, starts from its copy on disk, and follows the database. */
export async function runNameserver(settings: NameserverSettings, options: RunOptions): Promise<RunningNameserver> {
  const { log } = options;
  const hosts = addressesOf(settings.hosts);
  for (const host of hosts)
    await requireFreePort({ host, port: settings.port, setting: 'NAMEHOLD_DNS_PORT', protocols: ['tcp', 'udp'] });
  mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
  const threads = new AnswerThreads(settings.threads, { answering: settings.answering }, (error, hasEnded) => {
    log.error({ err: error }, hasEnded ? 'nameserver thread exited' : 'nameserver failed to answer');
    if (hasEnded) options.onEnd();
  });
  const disk = new ZoneLog(join(settings.folder, 'zones'));
  const feeder = new ZoneFeeder({ threads, disk, log });
  const startsComplete = await feeder.load();
  const cookies = keepCookies(settings.answering.cookieSecrets, threads);
  await cookies.begun;
  const port = await threads.listen(hosts, settings.port);
  const state: NameserverState = { pid: process.pid, host: hosts[0]!, port, is_own: options.isOwn };
  writeState(settings.folder, state);
  registerAnswerMetrics(options.metrics, threads, () => feeder.size);
  const db = openDatabase({
    url: settings.databaseUrl,
    maxConnections: DATABASE_CONNECTIONS,
    applicationName: 'namehold-nameserver',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const follower = new ZoneFollower({ db, zones: feeder, log, startsComplete, onChanged: () => undefined });
  const line = new DatabaseListener({
    url: settings.databaseUrl,
    channels: [zoneChannel],
    log,
    onNotification: (_channel, payload) => follower.notify(payload),
    onUp: () => follower.restart(),
  });
  const flushing = setInterval(() => void disk.flush().catch(() => undefined), FLUSH_MS).unref();
  return {
    state,
    async stop() {
      clearInterval(flushing);
      cookies.stop();
      await line.stop();
      await follower.stop();
      await threads.close();
      await disk.close();
      await db.close();
      rmSync(join(settings.folder, stateFile), { force: true });
    },
  };
}

export const zoneChannel = 'namehold_zone';

/** Written atomically, because other processes read it at any time. */
function writeState(folder: string, state: NameserverState): void {
  const draft = join(folder, `${stateFile}.${process.pid}`);
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, join(folder, stateFile));
}

/**
 * A socket for each address, so that a response leaves from the address of the query. A wildcard socket does not ensure this on a
 * machine with several addresses.
 */
function addressesOf(hosts: readonly string[]): string[] {
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const all = hosts.flatMap((host) => {
    if (host === '0.0.0.0') return own.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
    if (host === '::')
      return own.filter(({ family, scopeid }) => family === 'IPv6' && !scopeid).map(({ address }) => address);
    return [host];
  });
  return [...new Set(all)];
}

/** RFC 9018 5: secrets are rotated, and the previous one stays valid. */
function keepCookies(given: readonly string[], threads: AnswerThreads): { begun: Promise<unknown>; stop(): void } {
  let secrets = given.length > 0 ? given : [randomBytes(16).toString('hex')];
  const notify = () => threads.notify({ kind: 'cookies', secrets });
  const timer = setInterval(() => {
    if (given.length > 0) return;
    secrets = [randomBytes(16).toString('hex'), secrets[0]!];
    notify().catch(() => undefined);
  }, COOKIE_MS).unref();
  return { begun: notify(), stop: () => clearInterval(timer) };
}
