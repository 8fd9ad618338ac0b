import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write, writeAsService } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { notFound, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { requireDomain } from '../find.ts';
import { saveWatched, saveWatchedByOperator, type Watch } from './watch.sql.ts';

/** A watched domain is compared with its registry every few minutes instead of once a day. Watching it sends no change to the registry. */
export async function watchDomain(
  ctx: AppContext,
  actor: Actor,
  where: { readonly domain: string; readonly customerId: string | undefined },
  on: boolean,
): Promise<Watch> {
  const found = await requireDomain(ctx, actor, where.domain, where.customerId);
  return write(ctx, actor, async (tx) =>
    recordWatch(ctx, tx, actor, await saveWatched(tx, actor.resellerId, found.id, on)),
  );
}

/** The operator's own mark, on a domain of any reseller. The mark of the reseller does not change. */
export async function watchAsOperator(ctx: AppContext, actor: Actor, domainId: string, on: boolean): Promise<Watch> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return writeAsService(ctx, actor, async (tx) => {
    const saved = await saveWatchedByOperator(tx, domainId, on);
    if (!saved) throw notFound('domain');
    return recordWatch(ctx, tx, actor, saved);
  });
}

async function recordWatch(ctx: AppContext, tx: Tx, actor: Actor, watch: Watch): Promise<Watch> {
  const { watched, watched_by_operator } = watch;
  await audit(ctx, tx, actor, {
    action: 'domain.watched',
    objectType: 'domain',
    objectId: watch.id,
    after: { watched, watched_by_operator },
  });
  await appendEvent(ctx, tx, lifeEvent(watch, 'domain.watched', { watched, watched_by_operator }));
  return watch;
}
