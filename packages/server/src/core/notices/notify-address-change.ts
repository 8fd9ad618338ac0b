import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { asciiAddress } from '../reference/email.ts';
import type { FactValue } from './kinds.ts';
import { notify } from './notify.ts';
import { minuteText, signerOf } from './notify-recipients.ts';
import { findOwner, listOwners } from './recipient.sql.ts';
import type { RecipientRow } from './recipient.ts';

/** Mails about one change of an address. */
const ownersNotified = 20;

interface AddressChange {
  readonly resellerId: string;
  readonly what: FactValue;
  readonly label: FactValue;
  /** Where mail was received before; null: there was no address. */
  readonly former: { readonly email: string; readonly since: Date | null } | null;
}

/** Both values of a setting; an empty one is none. */
export const beforeAndNow = (was: string | null | undefined, is: string | null | undefined): FactValue => ({
  en: `Before: ${was || 'none'}; now: ${is || 'none'}`,
  id: `Sebelumnya: ${was || 'tidak ada'}; sekarang: ${is || 'tidak ada'}`,
});

/**
 * An address that receives an account's security notices or replies was changed. A thief who redirects it must not be the only recipient
 * of that news. Mails the former address, the account and its owners, each mailbox once. On the second database login: requests cannot
 * read the users.
 */
export async function notifyAddressChange(ctx: AppContext, tx: Tx, actor: Actor, change: AddressChange): Promise<void> {
  const { resellerId, what, label } = change;
  const account = await findOwner(tx, resellerId);
  const owners = await listOwners(tx, resellerId, ownersNotified);
  const recipients = [...(account ? [account] : []), ...owners.map(signerOf)];
  const byMailbox = new Map(recipients.map((to) => [asciiAddress(to.email).toLowerCase(), to]));
  const facts = { what, label, at: minuteText(ctx.wall.now()), address: actor.address };
  const about = { kind: 'account_security', facts, resellerId } as const;
  for (const to of byMailbox.values()) await notify(ctx, tx, { ...about, to, purpose: 'address_change' });
  const { former } = change;
  if (!former || byMailbox.has(asciiAddress(former.email).toLowerCase())) return;
  const to: RecipientRow = { name: former.email, email: former.email, country_code: '' };
  await notify(ctx, tx, { ...about, to, purpose: 'former_address', inPlaceSince: former.since });
}
