import { allTenants } from '@namehold/base';
import { raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { noteMaintenance } from '../../registries/maintenance.ts';
import { currencyOfRegistry, recordBalance } from '../../registries/registry.sql.ts';
import { feeMoney } from '../registry/fee-money.ts';
import type { PollMessage } from '../registry/registry.ts';
import { noteChange } from './note-change.ts';
import { type MessageKey, markProcessed, type OpenMessage, openMessages, ownNames } from './poll.sql.ts';
import { reconcileDomain } from './reconcile.ts';
import { alarmReportDue } from './report-due.ts';

/** What is kept of a message, sealed: it may name people. */
export type StoredMessage = Pick<PollMessage, 'text' | 'raw' | 'content' | 'unhandled'>;

export const messageContext = (registryId: string, messageId: string): string => `poll:${registryId}:${messageId}`;

const messagesPerRun = 1_000;
const maintenancesAtOnce = 100;
/** A message that waits so long for an operation is given up; the daily comparison takes over. */
const patienceMs = 86_400_000;

const keyOf = (registryId: string, message: OpenMessage): MessageKey => ({
  registryId,
  messageId: message.message_id,
  fingerprint: message.fingerprint,
});

/** Carries out what stored messages ask for. Each is done once or stays open for the next run. */
export async function workOffMessages(ctx: AppContext, registryId: string): Promise<void> {
  for (const message of await openMessages(ctx.db.as(allTenants), registryId, messagesPerRun)) {
    let outcome: string | undefined;
    try {
      outcome = await workOff(ctx, registryId, message);
    } catch (error) {
      ctx.log.error(
        { err: error, registry_id: registryId, message_id: message.message_id },
        'a poll message could not be worked off',
      );
    }
    const waited = ctx.wall.now().getTime() - message.received_at.getTime();
    if (outcome === undefined && waited < patienceMs) continue;
    ctx.failpoint('poll:before-processed');
    await markProcessed(
      ctx.db.autocommit(allTenants),
      keyOf(registryId, message),
      outcome ?? 'given up',
      ctx.wall.now(),
    );
  }
}

/** Undefined: not now. */
async function workOff(ctx: AppContext, registryId: string, message: OpenMessage): Promise<string | undefined> {
  const body = ctx.vault.open(message.body_sealed, messageContext(registryId, message.message_id));
  const { content, text, raw, unhandled = [] } = JSON.parse(body) as StoredMessage;
  if (content.kind === 'low_balance') return lowBalance(ctx, registryId, content, message);
  if (content.kind === 'maintenance') return maintained(ctx, registryId, content.items);
  if (content.kind === 'unreadable') await alarmUnreadable(ctx, registryId, message.message_id, content.why);
  await alarmUnhandled(ctx, registryId, message.message_id, unhandled);
  const isUnknownContent = content.kind === 'unreadable' || unhandled.length > 0;
  const words = 'name' in content ? [content.name] : namesIn(isUnknownContent ? `${text} ${raw}` : text);
  const domains = await ownNames(ctx.db.as(allTenants), registryId, words);
  if (domains.length === 0) {
    ctx.log.info(
      { registry_id: registryId, message_id: message.message_id },
      'a poll message about nothing of ours was noted',
    );
    return 'noted';
  }
  const outcomes: string[] = [];
  for (const domain of domains) {
    if (content.kind === 'change') await noteChange(ctx, keyOf(registryId, message), domain, content);
    const open = await findOpenOperation(ctx.db.as(allTenants), domain.id);
    if (open) {
      // The operation itself asks the registry what became of it; the message is its cue (RFC 5730 2.9.2.3, panData).
      await ctx.engine.start(open.id);
      const still = await findOpenOperation(ctx.db.as(allTenants), domain.id);
      // It has looked and goes on waiting; only the word that ends a review is waited for.
      if (still?.state === 'waiting_registry' && open.kind === 'register' && content.kind === 'other')
        outcomes.push('register looked at again');
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

/** RFC 5731 3.2.4 and 5730 2.9.2.3: a transfer that ended, or words of a delete. What the registry then shows is not the only witness. */
function announcesEnd(content: PollMessage['content'], text: string): boolean {
  if (content.kind === 'transfer') return /approved$/i.test(content.status);
  if (content.kind === 'change') return /^(delete|transfer|autoDelete|autoPurge)$/.test(content.change.operation);
  return /\b(delet|remov|purg|drop|transferred)/i.test(text);
}

export const unreadableKey = (registryId: string, messageId: string): string =>
  `registry:${registryId}:message:${messageId}`;

/** Kept as it came, acknowledged, and the names in it are compared. What else it says a person must read. */
async function alarmUnreadable(ctx: AppContext, registryId: string, messageId: string, why: string): Promise<void> {
  await raiseAlarm(ctx, {
    key: unreadableKey(registryId, messageId),
    severity: 'warning',
    sentence: `message ${messageId} of registry ${registryId} could not be read (${why}): namehold registry message ${registryId} ${messageId} shows it`,
    facts: { registry_id: registryId, message_id: messageId },
  });
}

export const namespaceKey = (registryId: string, uri: string): string => `registry:${registryId}:namespace:${uri}`;

/** RFC 9038: it told of something in a form that we never said to understand. Once for each form, whatever the number of messages. */
async function alarmUnhandled(ctx: AppContext, registryId: string, messageId: string, uris: readonly string[]) {
  for (const uri of uris)
    await raiseAlarm(ctx, {
      key: namespaceKey(registryId, uri),
      severity: 'warning',
      sentence: `registry ${registryId} tells of something in a form that its profile does not name (${uri}): namehold registry message ${registryId} ${messageId} shows it`,
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
    // Stored as JSON, and a date of it is text again.
    const maintenance = { ...item, start: new Date(item.start), end: new Date(item.end) };
    outcomes.push(await noteMaintenance(ctx, registryId, maintenance));
  }
  return outcomes.join('; ');
}

/** Registries write names into free text; only those that we hold matter. */
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
    sentence: `the account at registry ${registryId} is low: ${available.amount} ${currency ?? ''} left, its threshold is ${limit.amount}`,
    facts: { registry_id: registryId, available: available.amount, threshold: limit.amount },
  });
  return `balance ${available.amount}`;
}
