import type { Tx } from '@namehold/base';
import { readCompany } from '../accounts/account.sql.ts';
import type { House } from '../house.ts';
import { tokenMark } from '../notices/notice.ts';
import { notify } from '../notices/notify.ts';
import { minuteText } from '../notices/tell.ts';
import { insertCode, type PersonCode } from './code.sql.ts';

/** Stores a code and mails it to its address, which nobody else sees: whoever redeems it has proven the mailbox. */
export async function mailCode(
  house: House,
  tx: Tx,
  row: PersonCode & { readonly reseller_id: string },
  secret: string,
): Promise<PersonCode> {
  const mailed = { ...row, is_mailed: true };
  await insertCode(tx, mailed, house.vault.fingerprint(secret));
  const { email, reseller_id: resellerId } = row;
  const facts = {
    link: house.pages.welcome(tokenMark),
    until: minuteText(row.expires_at),
    label: await readCompany(tx, resellerId),
  };
  const to = { name: email, email, country_code: '' };
  await notify(house, tx, { kind: 'user_invitation', facts, token: secret, resellerId, to });
  return mailed;
}
