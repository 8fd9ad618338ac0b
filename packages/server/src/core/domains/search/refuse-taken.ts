import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Availability, Registry, Reply } from '../../ports/registry.ts';
import { alarmOrphan } from '../compare/orphan.ts';
import { namesUnknownHere } from './availability.sql.ts';

/** An order waits no longer than this for the check: without an answer, its create command will show the result. */
export const waitMs = 2_000;

/**
 * Before an order, a dry run or a quote: every registered domain is refused in the same way and without a trace. The registry is queried
 * for domains of this platform too, so that the response time does not reveal them.
 */
export async function refuseTaken(
  ctx: AppContext,
  { registryId, name, mayQueryLater }: { registryId: string; name: string; mayQueryLater: boolean },
): Promise<void> {
  if (mayQueryLater && (await isQueriedElsewhere(ctx, registryId))) return;
  const registry = await ctx.registries.of(registryId);
  const reply = await inTime(registry.check([name]), waitMs);
  const found = reply.kind === 'done' ? reply.data[0] : undefined;
  if (found?.available === false) throw await taken(ctx, registry, found);
}

/**
 * True if this process has no session at the registry because others use them all. The process that executes the order queries then; to
 * wait for a session here would delay the order.
 */
export const isQueriedElsewhere = async (ctx: AppContext, registryId: string): Promise<boolean> =>
  !(await ctx.registries.hasFreeSession(registryId).catch(() => true));

/** Some upstreams take no price limit with an order, so drivers report premium domains as unavailable, for this reason. */
const soldWithoutLimit = 'premium';
const premiumSentence =
  'The domain has a premium price. It cannot be ordered here, because its registry accepts no price limit.';

/** The refusal. Also checks whether the registry holds the domain for us although it is not in our database. */
export async function taken(ctx: AppContext, registry: Registry, { name, reason }: Availability): Promise<Refusal> {
  if (reason === soldWithoutLimit) return new Refusal('domain_not_available', premiumSentence);
  const reply = await inTime(registry.info(name, { priority: 'interactive' }), waitMs);
  const isOurs = reply.kind === 'done' && reply.data?.isOurs === true;
  const unknown = await namesUnknownHere(ctx.db.as(allTenants), [name]);
  if (isOurs && unknown.has(name)) await alarmOrphan(ctx, registry.id, name);
  return new Refusal('domain_not_available');
}

/** An answer that does not come in time counts as not sent. */
export async function inTime<T>(pendingReply: Promise<Reply<T>>, ms: number): Promise<Reply<T>> {
  const timeout = Promise.withResolvers<Reply<T>>();
  const timer = setTimeout(() => timeout.resolve({ kind: 'unsent', why: 'no answer in time' }), ms);
  try {
    return await Promise.race([pendingReply, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
