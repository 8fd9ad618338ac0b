import { allTenants } from '@namehold/base';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { alarmOrphan } from '../compare/orphan.ts';
import type { Registry, Reply } from '../registry/registry.ts';
import { namesUnknownHere } from './availability.sql.ts';

/** An order does not wait longer for this than that: where the registry cannot be asked, its create will tell. */
export const waitMs = 2_000;

/**
 * Before an order, a dry run or a quote: a name that is taken is refused in the same words and leaves nothing behind, whoever has it.
 * The registry is asked also for names of this house: who is on the platform is nobody's business, not even by what an answer costs.
 */
export async function refuseTaken(
  ctx: AppContext,
  { registryId, name, mayQueryLater }: { registryId: string; name: string; mayQueryLater: boolean },
): Promise<void> {
  if (mayQueryLater && (await isQueriedElsewhere(ctx, registryId))) return;
  const registry = await ctx.registries.of(registryId);
  const reply = await inTime(registry.check([name]), waitMs);
  if (reply.kind === 'done' && reply.data[0]?.available === false) throw await taken(ctx, registry, name);
}

/**
 * This process has no session at the registry, because others have them all. Whoever has one carries the order out, and asks then: to wait for a session
 * here would keep the order from it.
 */
export const isQueriedElsewhere = async (ctx: AppContext, registryId: string): Promise<boolean> =>
  !(await ctx.registries.hasRoom(registryId).catch(() => true));

/** The refusal; and a look whether the registry holds it for us and our books do not know. */
export async function taken(ctx: AppContext, registry: Registry, name: string): Promise<Refusal> {
  const reply = await inTime(registry.info(name, { lane: 'interactive' }), waitMs);
  const isOurs = reply.kind === 'done' && reply.data?.isOurs === true;
  const unknown = await namesUnknownHere(ctx.db.as(allTenants), [name]);
  if (isOurs && unknown.has(name)) await alarmOrphan(ctx, registry.id, name);
  return new Refusal('domain_not_available');
}

/** An answer that does not come in time is none. */
export async function inTime<T>(pendingReply: Promise<Reply<T>>, ms: number): Promise<Reply<T>> {
  const timeout = Promise.withResolvers<Reply<T>>();
  const timer = setTimeout(() => timeout.resolve({ kind: 'unsent', why: 'no answer in time' }), ms);
  try {
    return await Promise.race([pendingReply, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
