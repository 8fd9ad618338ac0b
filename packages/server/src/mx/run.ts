import { join } from 'node:path';
import { systemClock, type Vault } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Log } from '../core/app-context.ts';
import { addMailCounts, type MailCountRow, takenOf } from '../core/mail-forwarding/counts.sql.ts';
import type { MailRoutes } from '../core/mail-forwarding/routes.ts';
import { CounterFlusher } from '../nameservers/counter-flusher.ts';
import { followRoutes } from './follow-routes.ts';
import { HostCertificate } from './host-certificate.ts';
import { MailCounter } from './mail-counter.ts';
import { MailPolicy } from './mail-policy.ts';
import { lookupIn } from './maps.ts';
import { MessageLimits } from './message-limits.ts';
import { policy } from './policy.ts';
import { type ProtocolServer, type RequestProtocol, serveProtocol, serveProtocolAt } from './protocol-server.ts';
import { QueueWatch } from './queue-watch.ts';
import type { MxSettings } from './settings.ts';
import { type Found, socketmap } from './socketmap.ts';
import { Srs } from './srs.ts';

interface RunningMx {
  readonly host: string;
  readonly ports: { readonly maps: number; readonly policy: number };
  stop(): Promise<void>;
}

/** Runs the services for Postfix, which answer from memory and follow the database. */
export async function runMx(
  settings: MxSettings,
  options: {
    readonly log: Log;
    readonly metrics: Registry;
    readonly copyFile: string;
    /** Decrypts the key of the mail host's certificate. */
    readonly vault?: Pick<Vault, 'open'> | undefined;
  },
): Promise<RunningMx> {
  const { log, metrics, copyFile, vault } = options;
  const { mailDomain, postmaster, databaseUrl, host, ports } = settings;
  const followed = followRoutes({ databaseUrl, log, copyFile, operator: postmaster === '' ? undefined : postmaster });
  const { routes, hasBegun, isComplete } = followed;
  const now = () => systemClock.now();
  const srs = new Srs(mailDomain, settings.srsSecrets, now);
  const counts = new MailCounter();
  const limits = new MessageLimits(settings.limits);
  const mailPolicy = new MailPolicy({ ...settings, routes, isComplete, srs, limits, counts, now });
  const flusher = new CounterFlusher({
    db: followed.db,
    cache: {
      take: () => mailPolicy.takeCounts(),
      putBack: (rows: readonly MailCountRow[]) => counts.putBack(rows),
    },
    async store(tx: Tx, rows: readonly MailCountRow[]) {
      const at = now();
      await addMailCounts(tx, rows);
      const names = [...new Set(rows.map((row) => row.domain_id))];
      for (const taken of await takenOf(tx, names, at)) limits.restore(taken, at);
    },
    log,
    failureMessage: 'mail counts not stored; will retry',
  });
  const watch = watchOf(metrics, routes);
  const queue = new QueueWatch({ command: settings.postqueue, db: followed.db, log, metrics });
  const certificate = new HostCertificate({ ...settings, db: followed.db, log, vault, file: settings.certificateFile });
  const servers: ProtocolServer[] = [];
  const stop = async () => {
    for (const server of servers) await server.close();
    await queue.stop();
    await certificate.stop();
    await flusher.stop();
    await followed.stop();
  };
  const serve = async (protocol: RequestProtocol, name: 'maps' | 'policy') => {
    const server = await serveProtocol(protocol, host, ports[name]);
    servers.push(server);
    if (settings.socketDir !== undefined) servers.push(await serveProtocolAt(protocol, join(settings.socketDir, name)));
    return server.port;
  };
  try {
    const found = lookupIn({ ...settings, routes, srs, hasBegun, isComplete });
    const lookup = watch.lookups((map, key) =>
      map === 'judged' ? accepted(mailPolicy.recordResult(key)) : found(map, key),
    );
    const maps = await serve(socketmap(lookup), 'maps');
    const policyPort = await serve(policy(watch.decisions((attributes) => mailPolicy.decide(attributes))), 'policy');
    certificate.start();
    return { host, ports: { maps, policy: policyPort }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const accepted = (isKnown: boolean): Found => (isKnown ? { kind: 'ok', data: 'heard' } : { kind: 'notfound' });

type Lookup = (map: string, key: string) => Found;

function watchOf(metrics: Registry, routes: MailRoutes) {
  const registers = [metrics];
  const lookups = new Counter({
    name: 'namehold_mx_lookups_total',
    help: 'Map requests of Postfix, by map and result',
    labelNames: ['map', 'answer'],
    registers,
  });
  const decisions = new Counter({
    name: 'namehold_mx_verdicts_total',
    help: 'Recipients checked by the policy service, by reply code',
    labelNames: ['action'],
    registers,
  });
  new Gauge({
    name: 'namehold_mx_names',
    help: 'Domains with mail forwarding',
    registers,
    collect() {
      this.set(routes.size);
    },
  });
  return {
    lookups:
      (lookup: Lookup): Lookup =>
      (map, key) => {
        const found = lookup(map, key);
        lookups.labels(found.kind === 'perm' ? 'none' : map, found.kind).inc();
        return found;
      },
    decisions:
      <A>(decide: (attributes: A) => string) =>
      (attributes: A) => {
        const action = decide(attributes);
        decisions.labels(action.split(' ')[0]!).inc();
        return action;
      },
  };
}
