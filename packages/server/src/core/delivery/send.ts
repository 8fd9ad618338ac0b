import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import {
  type DueNotice,
  endNotice,
  markAddressBounced,
  putBack,
  suppressedNotices,
  takeDue,
  waitingNotices,
} from '../notices/notice.sql.ts';
import { carriesItsLink, withToken } from '../notices/token.ts';
import type { Delivery, Mail, Mailer } from '../ports/mailer.ts';
import { returnAddress } from './bounce.ts';
import { undelivered } from './undelivered.ts';

const sendLimits = {
  atOnce: 20,
  /** Longer than a mail server may take for all notices of one batch. */
  leaseMs: 30 * 60_000,
  firstPauseMs: 30_000,
  /** After a day without a mail server all waiting mail is sent within this time. */
  longestPauseMs: 15 * 60_000,
  /** Notices that wait longer raise an alarm. */
  alarmSeconds: 3_600,
  resultLength: 500,
};

const accountsShown = 20;

const pauseMs = (tries: number) =>
  Math.min(sendLimits.firstPauseMs * 2 ** Math.min(tries, 10), sendLimits.longestPauseMs);

const roundsPerRun = 50;

/**
 * Notices are an outbox: rows of the transaction that they report, which this job sends after the commit. Failed mail is retried with
 * exponential backoff (`pauseMs`).
 */
export async function sendAllDue(ctx: AppContext): Promise<void> {
  for (let round = 0; round < roundsPerRun; round++) if ((await sendDue(ctx)) === 0) return;
}

/** Sends one batch, one notice after the other. If the mail server is unreachable, the rest of the batch is rescheduled. */
export async function sendDue(ctx: AppContext): Promise<number> {
  const { mailer } = ctx;
  if (mailer) {
    const limits = { count: sendLimits.atOnce, ...sendLimits, giveUpHours: ctx.config.mailGiveUpHours };
    const due = await takeDue(ctx.db.autocommit(allTenants), limits);
    let isUnreachable = false;
    for (const notice of due) {
      if (isUnreachable)
        await putBack(ctx.db.autocommit(allTenants), notice.id, {
          pauseMs: pauseMs(notice.tries),
          tries: 0,
          result: 'waits for the mail server',
        });
      else isUnreachable = (await sendOne(ctx, mailer, notice)) === 'unreachable';
    }
    if (due.length > 0) return due.length;
  }
  await watchQueue(ctx);
  await watchDailyLimits(ctx);
  return 0;
}

async function sendOne(ctx: AppContext, mailer: Mailer, notice: DueNotice): Promise<Delivery['kind']> {
  const reason = unsendable(notice);
  if (reason) {
    await end(ctx, notice, { state: 'failed', result: reason, isAddressBad: false });
    return 'refused';
  }
  const delivery = await mailer.send(mailOf(ctx, notice));
  const result = delivery.reply.slice(0, sendLimits.resultLength);
  const isWaiting = delivery.kind === 'unreachable' || delivery.kind === 'retry_later';
  if (isWaiting && !notice.is_late)
    await putBack(ctx.db.autocommit(allTenants), notice.id, { pauseMs: pauseMs(notice.tries), tries: 1, result });
  else {
    const state = delivery.kind === 'sent' ? 'sent' : 'failed';
    await end(ctx, notice, { state, result, isAddressBad: state === 'failed' });
  }
  return delivery.kind;
}

/** Why a notice is not given to the mail server. */
function unsendable(notice: DueNotice): string | undefined {
  if (notice.suppressed_by) return `not sent: daily limit of this ${notice.suppressed_by}`;
  return carriesItsLink(notice) ? undefined : 'not sent: the link is not alone on its line';
}

async function end(
  ctx: AppContext,
  notice: DueNotice,
  { state, result, isAddressBad }: { state: 'sent' | 'failed'; result: string; isAddressBad: boolean },
): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    if (!(await endNotice(tx, notice.id, { state, tries: 1, result })) || state === 'sent') return;
    const { reseller_id: resellerId, address, id: objectId } = notice;
    if (isAddressBad) await markAddressBounced(tx, { resellerId, address, reason: result }, ctx.clock.now());
    await appendEvent(ctx, tx, { resellerId, type: 'notice.undelivered', objectId, payload: undelivered(notice) });
  });
}

/** The token is inserted only here. */
function mailOf(ctx: AppContext, notice: DueNotice): Mail {
  const token = notice.secret_sealed === null ? undefined : ctx.vault.open(notice.secret_sealed, `notice:${notice.id}`);
  return {
    noticeId: notice.id,
    resellerId: notice.reseller_id,
    from: { name: notice.sender_name, address: notice.sender_address ?? ctx.config.mailFrom },
    to: { name: notice.recipient, address: notice.address },
    replyTo: notice.reply_to,
    returnTo: returnAddress(ctx, notice.id),
    language: notice.language,
    subject: notice.subject,
    ...withToken(notice, token),
    at: ctx.wall.now(),
  };
}

async function watchDailyLimits(ctx: AppContext): Promise<void> {
  const key = 'mail-ceiling';
  const { count, accounts, isAlarmRaised } = await suppressedNotices(ctx.db.as(allTenants), key);
  if (count === 0) return isAlarmRaised ? clearAlarm(ctx, key) : undefined;
  await raiseAlarm(ctx, {
    key,
    severity: 'warning',
    sentence: `${count} mails of ${accounts.length} accounts were not sent within a day: daily limits reached. If the mail is legitimate, raise NAMEHOLD_MAIL_PER_ACCOUNT or NAMEHOLD_MAIL_PER_MAILBOX`,
    facts: { accounts: accounts.slice(0, accountsShown) },
  });
}

async function watchQueue(ctx: AppContext): Promise<void> {
  const key = 'mail';
  const { count, seconds, isAlarmRaised } = await waitingNotices(ctx.db.as(allTenants), key);
  if (seconds < sendLimits.alarmSeconds) return isAlarmRaised ? clearAlarm(ctx, key) : undefined;
  await raiseAlarm(ctx, {
    key,
    severity: 'critical',
    sentence: ctx.mailer
      ? `${count} notices wait for the mail server, the oldest for ${Math.floor(seconds / 3_600)} hours. Check the server in NAMEHOLD_SMTP_URL`
      : `${count} notices cannot be sent: NAMEHOLD_SMTP_URL is not set`,
  });
}
