import type { Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { findBrand } from '../notices/brand.sql.ts';
import { tokenMark } from '../notices/notice.ts';
import { languageOf, type RecipientRow } from '../notices/notify.ts';
import { insertLink } from './verification.sql.ts';

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 257 bits. */
const tokenLength = 52;
// Links of 40 letters were sent before.
const form = /^[a-z0-9]{40}([a-z0-9]{12})?$/;

export const linkFingerprint = (ctx: Pick<AppContext, 'vault'>, token: string): string =>
  ctx.vault.fingerprint(`confirmation:${token}`);

/** What cannot be one is not looked for. */
export const isToken = (token: string): boolean => form.test(token);

/** What the mail says, with a mark in the place of the token. */
export interface MadeLink {
  readonly token: string;
  readonly link: string;
}

/** The token is in the mail alone: the row has its hash, the notice has it sealed until it leaves. */
export async function makeLink(
  ctx: AppContext,
  tx: Tx,
  link: {
    readonly resellerId: string;
    readonly domainId: string;
    readonly to: RecipientRow;
    readonly expiresAt: Date;
    /** Not for the address alone, but for one side of this change of the holder. */
    readonly change?: { readonly operationId: string; readonly side: 'prior' | 'new' };
    /** Not for a holder, but for who shall get forwarded mail. */
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
