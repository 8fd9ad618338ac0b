import { parentPort, workerData } from 'node:worker_threads';
import { DeadlinePassed, isConnectionLoss, withDeadline } from '@namehold/postgres';
import type { Config } from '../config.ts';
import { type Actor, type AppContext, contextFor } from '../core/app-context.ts';
import { Refusal } from '../core/errors.ts';
import type { ZoneTask } from '../core/model/zone-task.ts';
import { brief } from '../core/zones/change/commit.ts';
import { rollbackZone } from '../core/zones/change/rollback.ts';
import { exportZoneFile } from '../core/zones/file/export-file.ts';
import { exportOldFile } from '../core/zones/file/export-old-file.ts';
import { importZoneFile } from '../core/zones/file/import-file.ts';
import { patchRRsets } from '../core/zones/rrsets/patch-rrsets.ts';
import { replaceRRsets } from '../core/zones/rrsets/replace-rrsets.ts';
import { openRequest } from '../http/idempotency/idempotency.ts';
import { showChange } from '../http/v1/zones/zone-view.ts';
import { openParts } from '../parts.ts';
import { workerLimits } from './limits.ts';
import {
  type PlainActor,
  sharedNow,
  type ThreadStart,
  tookTooLong,
  type WorkerRequest,
  type WorkerResponse,
} from './message.ts';
import { print } from './pdf/print.ts';

/** One task at a time: one connection for its work and one spare. */
const connections = 2;

const { config } = workerData as ThreadStart;
const ctx = openContext(config);

function openContext(given: Config): Promise<AppContext> {
  // Buffers arrive as plain arrays.
  const revived = Object.entries(given).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value) : value,
  ]);
  const own = { ...(Object.fromEntries(revived) as unknown as Config), databaseConnections: connections };
  return openParts(own, undefined, { isThread: true }).then((parts) => parts.ctx);
}

parentPort!.on('message', (request: WorkerRequest) => {
  run(request).then(
    (result) => parentPort!.postMessage({ kind: 'done', result } satisfies WorkerResponse),
    (error: unknown) => parentPort!.postMessage(reportOf(error)),
  );
});

async function run(request: WorkerRequest): Promise<unknown> {
  const { actor: owner, task } = request;
  if (task.kind === 'export')
    return task.serial === undefined
      ? exportZoneFile(await ctx, owner, task.domain)
      : exportOldFile(await ctx, owner, task.domain, task.serial);
  if (task.kind === 'print') return print(task.document);
  const { actor, until } = request as Extract<WorkerRequest, { until: number }>;
  const whole = await ctx;
  const at = contextFor({ ...whole, db: withDeadline(whole.db, () => until - sharedNow()) }, actor);
  return brief(await change(at, actorOf(at, actor), task).catch((error: unknown) => refuseLate(error, until)));
}

/** PostgreSQL ends a statement or transaction at the deadline; the client may only notice a lost connection. */
function refuseLate(error: unknown, until: number): never {
  const isLate = error instanceof DeadlinePassed || (isTimeoutOrLoss(error) && sharedNow() >= until);
  throw isLate ? tookTooLong(workerLimits.transactionDeadlineMs) : error;
}

const isTimeoutOrLoss = (error: unknown) => (error as { code?: string }).code === '57014' || isConnectionLoss(error);

function change(at: AppContext, actor: Actor, task: ZoneTask) {
  const { domain } = task;
  switch (task.kind) {
    case 'import':
      return importZoneFile(at, actor, domain, task.order);
    case 'patch':
      return patchRRsets(at, actor, domain, task.order);
    case 'replace':
      return replaceRRsets(at, actor, domain, task.order);
    case 'rollback':
      return rollbackZone(at, actor, domain, task.order);
  }
}

function actorOf(at: AppContext, { held, ...actor }: PlainActor): Actor {
  // None of these results contains a secret, so they are not encrypted.
  return held ? { ...actor, idempotency: openRequest(at, held, { render: showChange }, '') } : actor;
}

function reportOf(error: unknown): WorkerResponse {
  if (error instanceof Refusal) {
    const { code, message, details } = error;
    return { kind: 'refused', code, message, details };
  }
  const { message, code, stack } = error as Error & { code?: string };
  return { kind: 'failed', message, code, stack };
}
