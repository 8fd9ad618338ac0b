import { everyTenant, parseMoney } from '@namehold/base';
import { raiseAlarm } from '../../alarms/alarm.ts';
import type { House } from '../../house.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { recordBalance } from '../../registries/registry.sql.ts';
import type { PollMessage } from '../registry/registry.ts';
import { currencyOfRegistry, markProcessed, type OpenMessage, openMessages, ownNames } from './poll.sql.ts';
import { reconcileDomain } from './reconcile.ts';

/** What is kept of a message, sealed: it may name people. */
export type StoredMessage = Pick<PollMessage, 'text' | 'raw' | 'content'>;

export const messageContext = (registryId: string, messageId: string): string => `poll:${registryId}:${messageId}`;

const messagesPerRun = 1_000;
/** A message that waits so long for an operation is given up; the daily comparison takes over. */
const patienceMs = 86_400_000;

/** Carries out what stored messages ask for. Each is done once or stays open for the next run. */
export async function workOffMessages(house: House, registryId: string): Promise<void> {
  for (const message of await openMessages(house.db.as(everyTenant), registryId, messagesPerRun)) {
    let outcome: string | undefined;
    try {
      outcome = await workOff(house, registryId, message);
    } catch (error) {
      house.log.error(
        { err: error, registry_id: registryId, message_id: message.message_id },
        'a poll message could not be worked off',
      );
    }
    const waited = house.wall.now().getTime() - message.received_at.getTime();
    if (outcome === undefined && waited < patienceMs) continue;
    house.point('poll:before-processed');
    const key = { registryId, messageId: message.message_id, fingerprint: message.fingerprint };
    await markProcessed(house.db.alone(everyTenant), key, outcome ?? 'given up', house.wall.now());
  }
}

/** Undefined: not now. */
async function workOff(house: House, registryId: string, message: OpenMessage): Promise<string | undefined> {
  const body = house.vault.open(message.body_sealed, messageContext(registryId, message.message_id));
  const { content, text, raw } = JSON.parse(body) as StoredMessage;
  if (content.kind === 'low_balance') return lowBalance(house, registryId, content);
  if (content.kind === 'unreadable') await alarmUnreadable(house, registryId, message.message_id, content.why);
  const words = wordsOf(content, `${text} ${raw}`, text);
  const domains = await ownNames(house.db.as(everyTenant), registryId, words);
  if (domains.length === 0) {
    house.log.info(
      { registry_id: registryId, message_id: message.message_id },
      'a poll message about nothing of ours was noted',
    );
    return 'noted';
  }
  const outcomes: string[] = [];
  for (const domain of domains) {
    const open = await findOpenOperation(house.db.as(everyTenant), domain.id);
    if (open) {
      // The operation itself asks the registry what became of it; the message is its cue (RFC 5730 2.9.2.3, panData).
      await house.engine.start(open.id);
      const still = await findOpenOperation(house.db.as(everyTenant), domain.id);
      if (still) return undefined;
      outcomes.push(`${open.kind} settled`);
      if (open.kind === 'register' || open.kind === 'transfer') continue;
    }
    const done = await reconcileDomain(house, domain, { isEndTold: tellsOfAnEnd(content, text) });
    if (done.kind !== 'compared') return undefined;
    outcomes.push(`${domain.name} compared: ${done.state}`);
  }
  return outcomes.join('; ');
}

/** RFC 5731 3.2.4 and 5730 2.9.2.3: a transfer that ended, or words of a delete. What the registry then shows is not the only witness. */
function tellsOfAnEnd(content: PollMessage['content'], text: string): boolean {
  if (content.kind === 'transfer') return /approved$/i.test(content.status);
  return /\b(delet|remov|purg|drop|transferred)/i.test(text);
}

function wordsOf(
  content: Exclude<PollMessage['content'], { kind: 'low_balance' }>,
  all: string,
  text: string,
): string[] {
  if ('name' in content) return [content.name];
  return namesIn(content.kind === 'unreadable' ? all : text);
}

export const unreadableKey = (registryId: string, messageId: string): string =>
  `registry:${registryId}:message:${messageId}`;

/** Kept as it came, acknowledged, and the names in it are compared. What else it says a person must read. */
async function alarmUnreadable(house: House, registryId: string, messageId: string, why: string): Promise<void> {
  await raiseAlarm(house, {
    key: unreadableKey(registryId, messageId),
    severity: 'warning',
    sentence: `message ${messageId} of registry ${registryId} could not be read (${why}): namehold registry message ${registryId} ${messageId} shows it`,
    facts: { registry_id: registryId, message_id: messageId },
  });
}

/** Registries write names into free text; only those that we hold matter. */
function namesIn(text: string): string[] {
  const found = text.toLowerCase().match(/[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/g) ?? [];
  return [...new Set(found)].slice(0, 50);
}

type LowBalance = Extract<PollMessage['content'], { kind: 'low_balance' }>;

async function lowBalance(house: House, registryId: string, { available, limit }: LowBalance): Promise<string> {
  const currency = available.currency || (await currencyOfRegistry(house.db.as(everyTenant), registryId));
  if (currency) {
    const { amount } = parseMoney(available.amount, currency);
    await house.db.transaction(everyTenant, (tx) => recordBalance(tx, registryId, amount, currency, house.wall.now()));
  }
  await raiseAlarm(house, {
    key: `registry:${registryId}:balance`,
    severity: 'critical',
    sentence: `the account at registry ${registryId} is low: ${available.amount} ${currency ?? ''} left, its threshold is ${limit.amount}`,
    facts: { registry_id: registryId, available: available.amount, threshold: limit.amount },
  });
  return `balance ${available.amount}`;
}
