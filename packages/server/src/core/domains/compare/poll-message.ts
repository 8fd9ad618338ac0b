import { allTenants } from '@namehold/postgres';
import { raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { feeMoney } from '../../model/fee-money.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import type { PollMessage } from '../../ports/registry.ts';
import { noteMaintenance } from '../../registries/maintenance.ts';
import { currencyOfRegistry, recordBalance } from '../../registries/registry.sql.ts';
import { noteChange } from './note-change.ts';
import { type MessageKey, markProcessed, type OpenMessage, openMessages, ownNames } from './poll.sql.ts';
import { reconcileDomain } from './reconcile.ts';
import { alarmReportDue } from './report-due.ts';

/** The stored part of a message, encrypted because it may contain personal data. */
export type StoredMessage = Pick<PollMessage, 'text' | 'raw' | 'content' | 'unhandled'>;

export const messageContext = (registryId: string, messageId: string): string => `poll:${registryId}:${messageId}`;

const messagesPerRun = 1_000;
const maintenancesAtOnce = 100;
/** A message waits at most this long for an operation; after that the daily comparison covers it. */
const waitLimitMs = 86_400_000;

const keyOf = (registryId: string, message: OpenMessage): MessageKey => ({
  registryId,
  messageId: message.message_id,
  fingerprint: message.fingerprint,
});

/** Processes stored messages. Each is processed once or stays open for the next run. */
export async function workOffMessages(ctx: AppContext, registryId: string): Promise<void> {
  for (const message of await openMessages(ctx.db.as(allTenants), registryId, messagesPerRun)) {
    let outcome: string | undefined;
    try {
      outcome = await workOff(ctx, registryId, message);
    } catch (error) {
      ctx.log.error(
        { err: error, registry_id: registryId, message_id: message.message_id },
        'a poll message could not be processed; will retry',
      );
    }
    const waited = ctx.wall.now().getTime() - message.received_at.getTime();
    if (outcome === undefined && waited < waitLimitMs) continue;
    ctx.failpoint('poll:before-processed');
    await markProcessed(
      ctx.db.autocommit(allTenants),
      keyOf(registryId, message),
      outcome ?? 'expired',
      ctx.wall.now(),
    );
  }
}

/** Undefined: not possible now, try again later. */
async function workOff(ctx: AppContext, registryId: string, message: OpenMessage): Promise<string | undefined> {
  const body = ctx.vault.open(message.body_sealed, messageContext(registryId, message.message_id));
  const { content, text, raw, unhandled = [] } = JSON.parse(body) as StoredMessage;
  if (content.kind === 'low_balance') return lowBalance(ctx, registryId, content, message);
  if (content.kind === 'maintenance') return maintained(ctx, registryId, content.items);
  if (content.kind === 'unreadable') await alarmUnreadable(ctx, registryId, message.message_id, content.why);
  await alarmUnhandled(ctx, registryId, message.message_id, unhandled);
  const isUnknownContent = content.kind === 'unreadable' || unhandled.length > 0;
  const names = 'name' in content ? [content.name] : namesIn(isUnknownContent ? `${text} ${raw}` : text);
  const domains = await ownNames(ctx.db.as(allTenants), registryId, names);
  if (domains.length === 0) {
    ctx.log.info(
      { registry_id: registryId, message_id: message.message_id },
      'a poll message about an object that is not ours was recorded',
    );
    return 'noted';
  }
  const outcomes: string[] = [];
  for (const domain of domains) {
    if (content.kind === 'change') await noteChange(ctx, keyOf(registryId, message), domain, content);
    const open = await findOpenOperation(ctx.db.as(allTenants), domain.id);
    if (open) {
      // The operation itself queries its outcome; the message only triggers it (RFC 5730 2.9.2.3, panData).
      await ctx.engine.start(open.id);
      const still = await findOpenOperation(ctx.db.as(allTenants), domain.id);
      // The operation was run and still waits. Only a message that ends the review must be kept for it.
      if (still?.state === 'waiting_registry' && open.kind === 'register' && content.kind === 'other')
        outcomes.push('register checked again');
      else if (still) return undefined;
      else outcomes.push(`${open.kind} settled`);
      if (open.kind === 'register' || open.kind === 'transfer') continue;
    }
    const done = await reconcileDomain(ctx, domain, { isEndReported: announcesEnd(content, text) });
    if (done.kind !== 'compared') return undefined;
    if (content.kind === 'restore_due') await alarmReportDue(ctx, domain, done.state, new Date(content.reportDueAt));
    outcomes.push(`${domain.name} compared: ${done.state}`);
  }
  return outcomes.join('; ');
}

/** RFC 5731 3.2.4 and 5730 2.9.2.3: a message about a completed transfer or a delete, which confirms that the domain is gone. */
function announcesEnd(content: PollMessage['content'], text: string): boolean {
  if (content.kind === 'transfer') return /approved$/i.test(content.status);
  if (content.kind === 'change') return /^(delete|transfer|autoDelete|autoPurge)$/.test(content.change.operation);
  return /\b(delet|remov|purg|drop|transferred)/i.test(text);
}

export const unreadableKey = (registryId: string, messageId: string): string =>
  `registry:${registryId}:message:${messageId}`;

/** The message is kept as received and acknowledged, and the domains in it are compared. A user must read the rest. */
async function alarmUnreadable(ctx: AppContext, registryId: string, messageId: string, why: string): Promise<void> {
  await raiseAlarm(ctx, {
    key: unreadableKey(registryId, messageId),
    severity: 'warning',
    sentence: `message ${messageId} of registry ${registryId} could not be read (${why}): namehold registry message ${registryId} ${messageId} shows it`,
    facts: { registry_id: registryId, message_id: messageId },
  });
}

export const namespaceKey = (registryId: string, uri: string): string => `registry:${registryId}:namespace:${uri}`;

/**
 * RFC 9038: the message contains an extension that we did not announce at login. One alarm for each namespace, whatever the number of
 * messages.
 */
async function alarmUnhandled(ctx: AppContext, registryId: string, messageId: string, uris: readonly string[]) {
  for (const uri of uris)
    await raiseAlarm(ctx, {
      key: namespaceKey(registryId, uri),
      severity: 'warning',
      sentence: `registry ${registryId} sends an extension that its profile does not name (${uri}): namehold registry message ${registryId} ${messageId} shows it`,
      facts: { registry_id: registryId, message_id: messageId, namespace: uri },
    });
}

async function maintained(
  ctx: AppContext,
  registryId: string,
  items: Extract<PollMessage['content'], { kind: 'maintenance' }>['items'],
): Promise<string> {
  const outcomes: string[] = [];
  for (const item of items.slice(0, maintenancesAtOnce)) {
    // The message is stored as JSON, so its dates are read back as text.
    const maintenance = { ...item, start: new Date(item.start), end: new Date(item.end) };
    outcomes.push(await noteMaintenance(ctx, registryId, maintenance));
  }
  return outcomes.join('; ');
}

/** Registries write domain names into free text; only our own domains matter. */
function namesIn(text: string): string[] {
  const found = text.toLowerCase().match(/[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/g) ?? [];
  return [...new Set(found)].slice(0, 50);
}

type LowBalance = Extract<PollMessage['content'], { kind: 'low_balance' }>;

async function lowBalance(
  ctx: AppContext,
  registryId: string,
  { available, limit }: LowBalance,
  message: OpenMessage,
): Promise<string> {
  const currency = available.currency || (await currencyOfRegistry(ctx.db.as(allTenants), registryId));
  if (currency) {
    const balance = feeMoney({ amount: available.amount, currency });
    const { queued_at: queuedAt, received_at: wall } = message;
    const since = { business: queuedAt ?? ctx.clock.now(), wall: queuedAt ?? wall };
    await ctx.db.transaction(allTenants, (tx) => recordBalance(tx, { registryId, balance, at: ctx.wall.now(), since }));
  }
  await raiseAlarm(ctx, {
    key: `registry:${registryId}:balance`,
    severity: 'critical',
    sentence: `the balance at registry ${registryId} is low: ${available.amount} ${currency ?? ''} left, its threshold is ${limit.amount}`,
    facts: { registry_id: registryId, available: available.amount, threshold: limit.amount },
  });
  return `balance ${available.amount}`;
}
