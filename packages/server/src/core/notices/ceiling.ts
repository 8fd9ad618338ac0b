import type { Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { type NoticeKind, noticeKindWords } from './kinds.ts';
import { type Ceiling, exceededCeiling } from './notice.sql.ts';

export type { Ceiling } from './notice.sql.ts';

/**
 * Mail caused by dates or by another registrar, and required by policy: a registrant of 500 domains gets 500 of them. A tenant cannot
 * cause them at will, so they are not limited.
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

/** Counted separately, so that a flood of harmless mail cannot suppress a warning. */
const security: readonly NoticeKind[] = [
  'account_security',
  'password_recovery',
  'auth_code_given',
  'holder_change_asked',
  'holder_changed',
  'moved_away',
];

const others = noticeKindWords.filter((kind) => !unlimited.includes(kind) && !security.includes(kind));

/** Accounts that write to the same mailbox may together send this multiple of one account's limit. */
const accountsAtOneMailbox = 5;

/** The daily limit that one more mail of this kind would exceed. */
export async function ceilingFor(
  { config }: AppContext,
  tx: Tx,
  mail: { readonly resellerId: string; readonly address: string; readonly kind: NoticeKind },
): Promise<Ceiling | undefined> {
  if (unlimited.includes(mail.kind)) return undefined;
  return exceededCeiling(tx, {
    ...mail,
    kinds: security.includes(mail.kind) ? security : others,
    perAccount: config.mailPerAccount,
    perMailbox: config.mailPerMailbox,
    perMailboxOfAll: config.mailPerMailbox * accountsAtOneMailbox,
  });
}
