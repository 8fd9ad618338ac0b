import { join } from 'node:path';
import { systemClock, type Tx, type Vault } from '@namehold/base';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Log } from '../core/house.ts';
import { addMailCounts, type MailCountRow, takenOf } from '../core/mail-forwarding/counts.sql.ts';
import type { MailRoutes } from '../core/mail-forwarding/routes.ts';
import { CountKeeper } from '../nameservers/count-keeper.ts';
import { CountBook } from './count-book.ts';
import { followRoutes } from './follow-routes.ts';
import { HostCertificate } from './host-certificate.ts';
import { lookUpIn } from './maps.ts';
import { MessageLimits } from './message-limits.ts';
import { policy } from './policy.ts';
import { QueueWatch } from './queue-watch.ts';
import type { MxSettings } from './settings.ts';
import { type Found, socketmap } from './socketmap.ts';
import { Srs } from './srs.ts';
import { serveTalk, serveTalkAt, type Talk, type TalkServer } from './talk-server.ts';
import { Verdict } from './verdict.ts';

export interface RunningMx {
  readonly host: string;
  readonly ports: { readonly maps: number; readonly policy: number };
  stop(): Promise<void>;
}

/** What stands beside Postfix: answers from memory, and follows the database whenever that is there. */
export async function runMx(
  settings: MxSettings,
  options: {
    readonly log: Log;
    readonly metrics: Registry;
    readonly copyFile: string;
    /** Opens the key of the mail host's certificate. */
    readonly vault?: Pick<Vault, 'open'> | undefined;
  },
): Promise<RunningMx> {
  const { log, metrics, copyFile, vault } = options;
  const { mailDomain, postmaster, databaseUrl, host, ports } = settings;
  const followed = followRoutes({ databaseUrl, log, copyFile, operator: postmaster === '' ? undefined : postmaster });
  const { routes, hasBegun, isComplete } = followed;
  const now = () => systemClock.now();
  const srs = new Srs(mailDomain, settings.srsSecrets, now);
  const counts = new CountBook();
  const limits = new MessageLimits(settings.limits);
  const verdict = new Verdict({ ...settings, routes, isComplete, srs, limits, counts, now });
  const keeper = new CountKeeper({
    db: followed.db,
    book: {
      take: () => verdict.takeCounts(),
      putBack: (rows: readonly MailCountRow[]) => counts.putBack(rows),
    },
    async store(tx: Tx, rows: readonly MailCountRow[]) {
      const at = now();
      await addMailCounts(tx, rows);
      const names = [...new Set(rows.map((row) => row.domain_id))];
      for (const taken of await takenOf(tx, names, at)) limits.learn(taken, at);
    },
    log,
    failedSentence: 'counts of mail could not be stored; it is tried again',
  });
  const watch = watchOf(metrics, routes);
  const queue = new QueueWatch({ command: settings.postqueue, db: followed.db, log, metrics });
  const certificate = new HostCertificate({ ...settings, db: followed.db, log, vault, file: settings.certificateFile });
  const servers: TalkServer[] = [];
  const stop = async () => {
    for (const server of servers) await server.close();
    await queue.stop();
    await certificate.stop();
    await keeper.stop();
    await followed.stop();
  };
  const serve = async (talk: Talk, name: 'maps' | 'policy') => {
    const server = await serveTalk(talk, host, ports[name]);
    servers.push(server);
    if (settings.socketDir !== undefined) servers.push(await serveTalkAt(talk, join(settings.socketDir, name)));
    return server.port;
  };
  try {
    const found = lookUpIn({ ...settings, routes, srs, hasBegun, isComplete });
    const lookUp = watch.lookUps((map, key) => (map === 'judged' ? heard(verdict.hear(key)) : found(map, key)));
    const maps = await serve(socketmap(lookUp), 'maps');
    const asked = await serve(policy(watch.verdicts((attributes) => verdict.decide(attributes))), 'policy');
    certificate.start();
    return { host, ports: { maps, policy: asked }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const heard = (isWord: boolean): Found => (isWord ? { kind: 'ok', data: 'heard' } : { kind: 'notfound' });

type LookUp = (map: string, key: string) => Found;

function watchOf(metrics: Registry, routes: MailRoutes) {
  const registers = [metrics];
  const lookUps = new Counter({
    name: 'namehold_mx_lookups_total',
    help: 'What Postfix asked the maps for, by map and answer',
    labelNames: ['map', 'answer'],
    registers,
  });
  const verdicts = new Counter({
    name: 'namehold_mx_verdicts_total',
    help: 'Recipients that the policy service was asked about, by the code of its answer',
    labelNames: ['action'],
    registers,
  });
  new Gauge({
    name: 'namehold_mx_names',
    help: 'Names whose mail is forwarded',
    registers,
    collect() {
      this.set(routes.size);
    },
  });
  return {
    lookUps:
      (lookUp: LookUp): LookUp =>
      (map, key) => {
        const found = lookUp(map, key);
        lookUps.labels(found.kind === 'perm' ? 'none' : map, found.kind).inc();
        return found;
      },
    verdicts:
      <A>(decide: (attributes: A) => string) =>
      (attributes: A) => {
        const action = decide(attributes);
        verdicts.labels(action.split(' ')[0]!).inc();
        return action;
      },
  };
}
