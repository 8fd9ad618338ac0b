import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { mailBudgetFor } from '../notices/ceiling.ts';
import { tokenMark } from '../notices/notice.ts';
import { notify } from '../notices/notify.ts';
import { minuteText, signerOf } from '../notices/notify-recipients.ts';
import { endRecoveryCodes, insertCode } from './code.sql.ts';
import { countRecoveryRequest } from './guessing.ts';
import { draftCode } from './invite.ts';
import { insertRecoveryRequest, takeRecoveryRequests } from './recovery.sql.ts';
import { findUserByEmail, listMemberships } from './user.sql.ts';
import { userLimits } from './user.ts';

const atOnce = 50;

/**
 * A request for a new password. The address is stored whether or not a user has it: the answer and the statements are the same, and an
 * existing user gets a mail a moment later. False: this installation sends no mail.
 */
export async function requestRecovery(ctx: AppContext, from: Pick<Actor, 'address'>, email: string): Promise<boolean> {
  await countRecoveryRequest(ctx, email, from.address);
  if (!ctx.mailer) return false;
  const wish = { id: ctx.ids.next('wish'), email, created_at: ctx.wall.now() };
  await ctx.db.transaction(allTenants, (tx) => insertRecoveryRequest(tx, wish));
  return true;
}

/** A link that works once, like a code of the operator; it replaces the password only, never a second factor. */
export async function sendRecoveryCodes(ctx: AppContext): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    for (const { email } of await takeRecoveryRequests(tx, atOnce)) await mailLink(ctx, tx, email);
  });
}

async function mailLink(ctx: AppContext, tx: Tx, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email);
  const [account] = user && !user.disabled_at ? await listMemberships(tx, user.id) : [];
  if (!user || !account) return;
  const about = { purpose: 'recover', email: user.email, person_id: user.id } as const;
  const { row, secret } = draftCode(ctx, about, userLimits.mailedCodeTtlMs);
  const { reseller_id } = account;
  const mail = { resellerId: reseller_id, address: user.email, kind: 'password_recovery' } as const;
  // Without a mail the link of an earlier mail must stay valid.
  if ((await mailBudgetFor(ctx, tx, mail)).ceiling !== null) return;
  // Anybody can request a link, so it does not end a code that the operator gave the user.
  await endRecoveryCodes(tx, user.id, row.created_at, { onlyMailed: true });
  await insertCode(tx, { ...row, is_mailed: true }, ctx.vault.fingerprint(secret));
  const change = { action: 'person.recovery_mail', objectType: 'person', objectId: user.id };
  await audit(ctx, tx, schedulerFor({ reseller_id }, row.id), change);
  const facts = { link: ctx.pages.welcome(tokenMark, true), until: minuteText(row.expires_at) };
  const notice = { kind: 'password_recovery', facts, token: secret } as const;
  await notify(ctx, tx, { ...notice, resellerId: reseller_id, to: signerOf(user) });
}
