import { createHash } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { withJobLease } from '../../jobs/with-job-lease.ts';
import type { Evidence, Registry } from '../../ports/registry.ts';
import { readBalance } from '../../registries/read-balance.ts';
import { markAcked, storeMessage } from './poll.sql.ts';
import { messageContext, type StoredMessage, workOffMessages } from './poll-message.ts';

const messagesPerRun = 500;

/**
 * One reader per registry account. It stores, acknowledges, then processes, so a crash at any point neither loses nor duplicates a
 * message. False if another process reads, or the registry cannot be reached.
 */
export async function readPoll(ctx: AppContext, registryId: string): Promise<boolean> {
  if (!ctx.registries.isReachable(registryId)) return false;
  return withJobLease(ctx, `poll:${registryId}`, async () => {
    const registry = await ctx.registries.of(registryId);
    for (let count = 0; count < messagesPerRun; count += 1) if (!(await readOne(ctx, registry))) break;
    await workOffMessages(ctx, registryId);
    await readBalance(ctx, registry);
  });
}

/** A message without a readable id cannot be acknowledged, so it blocks the queue for ever. */
async function alarmStuck(
  ctx: AppContext,
  registryId: string,
  reply: Awaited<ReturnType<Registry['poll']>>,
): Promise<void> {
  if (reply.kind === 'done') return clearAlarm(ctx, queueKey(registryId));
  if (reply.kind === 'refused') return alarmQueue(ctx, registryId, refusalText(reply.evidence));
  if (reply.kind === 'unknown' && reply.isUnreadable) return alarmQueue(ctx, registryId, reply.why);
}

const queueKey = (registryId: string): string => `registry:${registryId}:queue`;
const refusalText = ({ code, text = 'refused' }: Evidence): string => (code === undefined ? text : `${code} ${text}`);

function alarmQueue(ctx: AppContext, registryId: string, why: string): Promise<void> {
  return raiseAlarm(ctx, {
    key: queueKey(registryId),
    severity: 'critical',
    sentence: `the messages of registry ${registryId} cannot be read: ${why}; request from the registry that it removes the first message of its queue`,
    facts: { registry_id: registryId },
  });
}

/** False if the queue is empty or the registry does not answer. */
async function readOne(ctx: AppContext, registry: Registry): Promise<boolean> {
  const reply = await registry.poll();
  await alarmStuck(ctx, registry.id, reply);
  if (reply.kind !== 'done' || !reply.data) return false;
  const { id, queuedAt, text, raw, content, unhandled } = reply.data;
  const body: StoredMessage = { text, raw, content, ...(unhandled ? { unhandled } : {}) };
  // Computed without the raw answer, which differs each time it is shown.
  const serialised = JSON.stringify([queuedAt, text, content]);
  const key = {
    registryId: registry.id,
    messageId: id,
    fingerprint: createHash('sha256').update(serialised).digest('hex'),
  };
  const autocommit = ctx.db.autocommit(allTenants);
  ctx.failpoint('poll:before-store');
  await storeMessage(autocommit, {
    ...key,
    queuedAt,
    kind: content.kind,
    domainName: 'name' in content ? content.name : null,
    encryptedBody: ctx.vault.encrypt(JSON.stringify(body), messageContext(registry.id, id)),
    now: ctx.wall.now(),
  });
  ctx.failpoint('poll:after-store');
  const acked = await registry.acknowledge(id);
  // The message is stored but stays first in the queue, so later messages cannot be read.
  if (acked.kind === 'refused')
    await alarmQueue(ctx, registry.id, `message ${id} cannot be acknowledged (${refusalText(acked.evidence)})`);
  if (acked.kind !== 'done') return false;
  ctx.failpoint('poll:after-ack');
  await markAcked(autocommit, key, ctx.wall.now());
  return true;
}
