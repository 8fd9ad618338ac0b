import type { Tx } from '@namehold/postgres';
import { readCompany } from '../accounts/account.sql.ts';
import type { AppContext } from '../app-context.ts';
import { tokenMark } from '../notices/notice.ts';
import { notify } from '../notices/notify.ts';
import { minuteText } from '../notices/notify-recipients.ts';
import { insertCode, type UserCode } from './code.sql.ts';

/** Stores a code and mails it to its address only: redeeming it proves access to the mailbox. Refused if it cannot be mailed today. */
export async function mailCode(
  ctx: AppContext,
  tx: Tx,
  row: UserCode & { readonly reseller_id: string },
  secret: string,
): Promise<UserCode> {
  const mailed = { ...row, is_mailed: true };
  await insertCode(tx, mailed, ctx.vault.fingerprint(secret));
  const { email, reseller_id: resellerId } = row;
  const facts = {
    link: ctx.pages.welcome(tokenMark),
    until: minuteText(row.expires_at),
    label: await readCompany(tx, resellerId),
  };
  const to = { name: email, email, country_code: '' };
  const promised = { field: 'email' };
  const notice = { kind: 'user_invitation', facts, token: secret, resellerId, to, promised } as const;
  await notify(ctx, tx, row.claims ? { ...notice, purpose: 'claim' } : notice);
  return mailed;
}
