import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type NoticeKind, noticeKindNames } from './kinds.ts';
import { type MailBudget, type NoticePurpose, readMailBudget } from './notice.sql.ts';

import { isLimitPurpose } from './security-topics.ts';

export type { MailBudget, NoticePurpose } from './notice.sql.ts';

/**
 * Mail that the calendar or another registrar brings about, and that policy demands: a registrant of 500 domains gets 500 of them.
 * A tenant cannot cause them at will, and they are not limited.
 */
const unlimited: readonly NoticeKind[] = [
  'domain_expiring',
  'domain_expired',
  'domain_interrupted',
  'renewal_failed',
  'holder_unverified',
  'data_reminder',
  'transfer_requested',
  'transferred_away',
];

/** Each has a budget of its own: a flood of one kind cannot suppress a warning or a link of another. */
const apart: readonly NoticeKind[] = [
  'account_security',
  'password_recovery',
  'user_invitation',
  'auth_code_given',
  'holder_change_asked',
  'holder_changed',
  'moved_away',
  'holder_verification',
  'mail_target',
  'invoice_reminder',
];

const others = noticeKindNames.filter((kind) => !unlimited.includes(kind) && !apart.includes(kind));

/**
 * Accounts that have the same mailbox as their address and never confirmed it: together they may send it this many times the limit of
 * one account. The first accounts below each top account, up to this number, also have a reserve for their own mail (`toOwnAddress`).
 */
const accountsAtOneMailbox = 5;

/** Reserve: an account may always send this many to its own address, whatever other accounts sent there. */
const toOwnAddress = 5;

/** Warnings to a replaced address, in a day, from one account to one mailbox. */
const formerAddressWarnings = 3;

/** Only accounts that pay for a domain send these, so each may send some whatever other accounts sent. */
const ofDomains: readonly NoticeKind[] = [
  'holder_verification',
  'holder_change_asked',
  'holder_changed',
  'auth_code_given',
  'moved_away',
];
const ofDomainsAtLeast = 2;

/** What an account may send whatever other accounts sent. */
function atLeastOf(kind: NoticeKind, perMailbox: number): number {
  // Consent requests have limits of their own, which leave each customer one a day.
  if (kind === 'mail_target') return perMailbox;
  return ofDomains.includes(kind) ? ofDomainsAtLeast : 0;
}

/** The first of these warnings in a day is sent whatever other accounts sent. */
const formerAddressAtLeast = 1;

/** "No further mails are sent": one a day for each topic. Without a reserve in foreign mailboxes, which many accounts could flood. */
const limitMails = 1;

/**
 * Anybody can request recovery for any user. Beyond the limit one mail leaves in each interval of so many minutes, which is less than a mailed
 * link lives: the user always has a valid link.
 */
const recoverySpacingMinutes = 20;

function limitsOf(kind: NoticeKind, purpose: NoticePurpose | null, most: number) {
  if (isLimitPurpose(purpose)) return { perMailbox: limitMails, atLeast: 0 };
  if (purpose === 'former_address')
    return { perMailbox: Math.min(formerAddressWarnings, most), atLeast: formerAddressAtLeast };
  return { perMailbox: most, atLeast: atLeastOf(kind, most) };
}

/** Whether the account has proven the address, and the daily budget that one more mail of this kind would exceed. */
export async function mailBudgetFor(
  { config }: AppContext,
  tx: Tx,
  mail: {
    readonly resellerId: string;
    readonly address: string;
    readonly kind: NoticeKind;
    readonly purpose?: NoticePurpose | undefined;
  },
): Promise<MailBudget> {
  const { kind, purpose = null } = mail;
  if (unlimited.includes(kind)) return { ceiling: null, isProven: false, retryAfterSeconds: null };
  const { perMailbox, atLeast } = limitsOf(kind, purpose, config.mailPerMailbox);
  return readMailBudget(tx, {
    ...mail,
    purpose,
    kinds: apart.includes(kind) ? [kind] : others,
    perAccount: config.mailPerAccount,
    perMailbox,
    perMailboxOfAll: perMailbox * accountsAtOneMailbox,
    atLeast,
    atLeastOwn: toOwnAddress,
    accountsAtMailbox: accountsAtOneMailbox,
    spacingMinutes: kind === 'password_recovery' ? recoverySpacingMinutes : null,
  });
}
