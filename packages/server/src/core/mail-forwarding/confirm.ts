import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { findBrand } from '../notices/brand.sql.ts';
import { domainText } from '../notices/name-text.ts';
import type { TargetState } from './forward.ts';
import { forwardedText } from './forwarded-text.ts';
import { settleTarget } from './settle-target.ts';
import { findTarget, lockTarget, lockWaitingFor, type MailTarget, namesOfTarget } from './target.sql.ts';

const namesShown = 50;
/** Pending targets stopped at once. Later ones are stopped when their consent is requested. */
const othersStopped = 200;

/** Consent, or its withdrawal, for mail to an address. */
export interface ConfirmableTarget {
  readonly kind: 'mail_target';
  readonly targetId: string;
  readonly address: string;
  /** The forwarded addresses, as text for each domain. */
  readonly names: readonly string[];
  readonly brand: string;
  readonly language: 'en' | 'id';
  readonly mayAgree: boolean;
  readonly mayStop: boolean;
}

const mayAgree = (state: TargetState) => state === 'waiting' || state === 'stopped';
const mayStop = (state: TargetState) => state === 'waiting' || state === 'confirmed' || state === 'failing';

/** Compares dates too, because the link expires before the job updates the state. */
const isExpired = ({ state, lapses_at }: Pick<MailTarget, 'state' | 'lapses_at'>, now: Date): boolean =>
  state === 'lapsed' || (state === 'waiting' && lapses_at !== null && lapses_at <= now);

/** What the owner can decide by the link. Undefined: nothing. */
export async function readTargetLink(
  ctx: AppContext,
  link: { readonly reseller_id: string; readonly mail_target_id: string; readonly language: 'en' | 'id' },
): Promise<ConfirmableTarget | undefined> {
  const db = ctx.db.as(allTenants);
  const target = await findTarget(db, { resellerId: link.reseller_id }, link.mail_target_id);
  if (!target || isExpired(target, ctx.clock.now())) return undefined;
  const names = (await namesOfTarget(db, target, namesShown)).map(
    ({ name, local_parts }) => forwardedText(name, local_parts)?.[link.language] ?? domainText(name),
  );
  const { name: brand } = await findBrand(db, link.reseller_id);
  return {
    kind: 'mail_target',
    targetId: target.id,
    address: target.address,
    names,
    brand,
    language: link.language,
    mayAgree: mayAgree(target.state),
    mayStop: mayStop(target.state),
  };
}

/** Stops pending requests to this address. Consents that were given to other accounts stay, so that no mail is lost. */
async function stopOthers(ctx: AppContext, tx: Tx, address: string): Promise<void> {
  for (const other of await lockWaitingFor(tx, address, othersStopped)) await settleTarget(ctx, tx, other, 'stopped');
}

/** The owner of the address consents or rejects. Rejection is possible at any time. */
export async function answerTarget(
  ctx: AppContext,
  { targetId }: ConfirmableTarget,
  isConfirmed: boolean | undefined,
  from: string,
): Promise<boolean> {
  if (isConfirmed === undefined) return false;
  return ctx.db.transaction(allTenants, async (tx) => {
    const target = await lockTarget(tx, targetId);
    const state = isConfirmed ? 'confirmed' : 'stopped';
    // A repeated confirmation changes nothing.
    if (target?.state === state) return true;
    if (!target || isExpired(target, ctx.clock.now()) || !(isConfirmed ? mayAgree : mayStop)(target.state))
      return false;
    await settleTarget(ctx, tx, target, state);
    if (!isConfirmed) await stopOthers(ctx, tx, target.address);
    await audit(
      ctx,
      tx,
      { ...schedulerFor(target, 'mail-target'), address: from },
      {
        action: `mail_target.${state}`,
        objectType: 'mail_target',
        objectId: target.id,
        before: { state: target.state },
        after: { state, address: target.address },
      },
    );
    return true;
  });
}
