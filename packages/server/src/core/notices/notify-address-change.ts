import type { Tx } from '@namehold/base';
import type { Actor, AppContext } from '../app-context.ts';
import { listOwners } from '../users/member.sql.ts';
import type { FactValue } from './kinds.ts';
import { notify, type RecipientRow } from './notify.ts';
import { minuteText, signerOf } from './notify-recipients.ts';
import { findOwner } from './recipient.sql.ts';

/** Mails about one change of an address. */
const ownersNotified = 20;

export interface AddressChange {
  readonly resellerId: string;
  readonly what: FactValue;
  readonly label: string;
  /** The former recipients. */
  readonly former: readonly RecipientRow[];
}

/**
 * An address that receives an account's security notices or replies was changed. A thief who redirects it must not be the only recipient
 * of that news. Mails the former address, the account and its owners, each mailbox once. On the second database login: requests cannot
 * read the users.
 */
export async function notifyAddressChange(ctx: AppContext, tx: Tx, actor: Actor, change: AddressChange): Promise<void> {
  const { resellerId, what, label } = change;
  const account = await findOwner(tx, resellerId);
  const owners = await listOwners(tx, resellerId, ownersNotified);
  const recipients = [...change.former, ...(account ? [account] : []), ...owners.map(signerOf)];
  const byMailbox = new Map(recipients.toReversed().map((to) => [to.email.toLowerCase(), to]));
  const facts = { what, label, at: minuteText(ctx.wall.now()), address: actor.address };
  for (const to of byMailbox.values()) await notify(ctx, tx, { kind: 'account_security', facts, resellerId, to });
}
