import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { findBrand } from '../notices/brand.sql.ts';
import { tokenMark } from '../notices/notice.ts';
import { languageOf } from '../notices/notify.ts';
import type { RecipientRow } from '../notices/recipient.ts';
import { insertLink } from './link.sql.ts';

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 257 bits. */
const tokenLength = 52;
// Links of 40 letters were sent before.
const form = /^[a-z0-9]{40}([a-z0-9]{12})?$/;

export const linkFingerprint = (ctx: Pick<AppContext, 'vault'>, token: string): string =>
  ctx.vault.fingerprint(`confirmation:${token}`);

/** A text that cannot be a token is not looked up. */
export const isToken = (token: string): boolean => form.test(token);

/** The link in the mail, with a placeholder for the token. */
interface MadeLink {
  readonly token: string;
  readonly link: string;
}

/** The token is in the mail alone: the row has its hash, and the notice has it encrypted until it is sent. */
export async function makeLink(
  ctx: AppContext,
  tx: Tx,
  link: {
    readonly resellerId: string;
    readonly domainId: string;
    readonly to: RecipientRow;
    readonly expiresAt: Date;
    /** For one side of this change of registrant, not for the address alone. */
    readonly change?: { readonly operationId: string; readonly side: 'prior' | 'new' };
    /** For a recipient of forwarded mail, not for a registrant. */
    readonly mailTargetId?: string;
  },
): Promise<MadeLink> {
  const token = ctx.ids.text(tokenLength, alphabet);
  const host = await insertLink(tx, {
    fingerprint: linkFingerprint(ctx, token),
    reseller_id: link.resellerId,
    domain_id: link.domainId,
    address: link.to.email,
    language: languageOf((await findBrand(tx, link.resellerId)).language, link.to),
    created_at: ctx.clock.now(),
    expires_at: link.expiresAt,
    operation_id: link.change?.operationId ?? null,
    side: link.change?.side ?? null,
    mail_target_id: link.mailTargetId ?? null,
  });
  return { token, link: ctx.pages.confirmation(tokenMark, host) };
}
