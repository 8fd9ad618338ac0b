import { everyTenant } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import { returnAddress } from './bounce.ts';
import type { Delivery, Mail, Mailer } from './mailer.ts';
import {
  type DueNotice,
  endNotice,
  markAddressBounced,
  putBack,
  suppressedNotices,
  takeDue,
  waitingNotices,
} from './notice.sql.ts';
import { carriesItsLink, withToken } from './token.ts';
import { undelivered } from './undelivered.ts';

const sendLimits = {
  atOnce: 20,
  /** Longer than a mail server may take for all that were taken at once. */
  leaseMs: 30 * 60_000,
  firstPauseMs: 30_000,
  /** After a day without a mail server everything leaves within this. */
  longestPauseMs: 15 * 60_000,
  /** Notices that wait longer are an alarm. */
  alarmSeconds: 3_600,
  resultLength: 500,
};

const accountsShown = 20;

const pauseMs = (tries: number) =>
  Math.min(sendLimits.firstPauseMs * 2 ** Math.min(tries, 10), sendLimits.longestPauseMs);

/** One round: what is due is sent, one after the other; a server that is away is asked once a round. Nothing else waits for it. */
export async function sendDue(house: House): Promise<number> {
  const { mailer } = house;
  if (mailer) {
    const limits = { count: sendLimits.atOnce, ...sendLimits, giveUpHours: house.config.mailGiveUpHours };
    const due = await takeDue(house.db.alone(everyTenant), limits);
    let isAway = false;
    for (const notice of due) {
      if (isAway)
        await putBack(house.db.alone(everyTenant), notice.id, {
          pauseMs: pauseMs(notice.tries),
          tries: 0,
          result: 'waits for the mail server',
        });
      else isAway = (await sendOne(house, mailer, notice)) === 'away';
    }
    if (due.length > 0) return due.length;
  }
  await watchQueue(house);
  await watchCeilings(house);
  return 0;
}

async function sendOne(house: House, mailer: Mailer, notice: DueNotice): Promise<Delivery['kind']> {
  const reason = unsendable(notice);
  if (reason) {
    await end(house, notice, { state: 'failed', result: reason, isAddressBad: false });
    return 'refused';
  }
  const delivery = await mailer.send(mailOf(house, notice));
  const result = delivery.reply.slice(0, sendLimits.resultLength);
  const isWaiting = delivery.kind === 'away' || delivery.kind === 'later';
  if (isWaiting && !notice.is_late)
    await putBack(house.db.alone(everyTenant), notice.id, { pauseMs: pauseMs(notice.tries), tries: 1, result });
  else {
    const state = delivery.kind === 'sent' ? 'sent' : 'failed';
    await end(house, notice, { state, result, isAddressBad: state === 'failed' });
  }
  return delivery.kind;
}

/** Why a notice is not given to the mail server at all. */
function unsendable(notice: DueNotice): string | undefined {
  if (notice.suppressed_by) return `not sent: daily ceiling of this ${notice.suppressed_by}`;
  return carriesItsLink(notice) ? undefined : 'not sent: the link does not stand alone on its line';
}

async function end(
  house: House,
  notice: DueNotice,
  { state, result, isAddressBad }: { state: 'sent' | 'failed'; result: string; isAddressBad: boolean },
): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    if (!(await endNotice(tx, notice.id, { state, tries: 1, result })) || state === 'sent') return;
    const { reseller_id: resellerId, address, id: objectId } = notice;
    if (isAddressBad) await markAddressBounced(tx, { resellerId, address, reason: result }, house.clock.now());
    await appendEvent(house, tx, { resellerId, type: 'notice.undelivered', objectId, payload: undelivered(notice) });
  });
}

/** The token takes its place here, and nowhere before. */
function mailOf(house: House, notice: DueNotice): Mail {
  const token =
    notice.secret_sealed === null ? undefined : house.vault.open(notice.secret_sealed, `notice:${notice.id}`);
  return {
    noticeId: notice.id,
    resellerId: notice.reseller_id,
    from: { name: notice.sender_name, address: notice.sender_address ?? house.config.mailFrom },
    to: { name: notice.recipient, address: notice.address },
    replyTo: notice.reply_to,
    returnTo: returnAddress(house, notice.id),
    language: notice.language,
    subject: notice.subject,
    ...withToken(notice, token),
    at: house.wall.now(),
  };
}

async function watchCeilings(house: House): Promise<void> {
  const key = 'mail-ceiling';
  const { count, accounts, isTold } = await suppressedNotices(house.db.as(everyTenant), key);
  if (count === 0) return isTold ? clearAlarm(house, key) : undefined;
  await raiseAlarm(house, {
    key,
    severity: 'warning',
    sentence: `${count} mails of ${accounts.length} accounts were not sent within a day: daily ceilings (NAMEHOLD_MAIL_PER_ACCOUNT, NAMEHOLD_MAIL_PER_MAILBOX)`,
    facts: { accounts: accounts.slice(0, accountsShown) },
  });
}

async function watchQueue(house: House): Promise<void> {
  const key = 'mail';
  const { count, seconds, isTold } = await waitingNotices(house.db.as(everyTenant), key);
  if (seconds < sendLimits.alarmSeconds) return isTold ? clearAlarm(house, key) : undefined;
  await raiseAlarm(house, {
    key,
    severity: 'critical',
    sentence: house.mailer
      ? `${count} notices wait for the mail server, the oldest for ${Math.floor(seconds / 3_600)} hours`
      : `${count} notices cannot be sent: NAMEHOLD_SMTP_URL is not set`,
  });
}
