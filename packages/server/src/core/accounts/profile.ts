import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import { findKey } from '../keys/key.sql.ts';
import type { ApiKey } from '../keys/key.ts';
import { findReseller } from './account.sql.ts';
import type { Reseller } from './account.ts';

interface Profile {
  readonly reseller: Reseller;
  /** Null: a signed-in user, no key. */
  readonly key: ApiKey | null;
  readonly address: string;
}

/** The own account, and the caller's key as the service sees it. */
export async function readProfile(ctx: AppContext, actor: Actor): Promise<Profile> {
  const db = ctx.db.as(actor.resellerId);
  const [reseller, key] = await Promise.all([
    findReseller(db, actor.resellerId, actor.resellerId),
    actor.keyId === null ? null : findKey(db, actor.resellerId, actor.keyId),
  ]);
  if (!reseller || key === undefined) throw notFound('account');
  return { reseller, key, address: actor.address };
}
