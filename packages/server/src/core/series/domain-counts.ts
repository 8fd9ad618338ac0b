import { allTenants } from '@namehold/postgres';
import { everything } from '../accounts/everything.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { type NameCount, nameCounts, rollUpDomains } from './domain-counts.sql.ts';

export const domainCountLimits = { months: 60, usualMonths: 24 };

const resellersAtOnce = 200;
const eventsOfEach = 5_000;
const roundsPerRun = 50;

/** Rolls events up to counts per month. */
export async function rollUpDomainMonths(ctx: AppContext): Promise<void> {
  for (let round = 0; round < roundsPerRun; round += 1) {
    const resellers = await ctx.db.transaction(allTenants, (tx) => rollUpDomains(tx, resellersAtOnce, eventsOfEach));
    if (resellers === 0) return;
  }
}

interface NameMonth {
  readonly month: string;
  readonly registered: number;
  /** From another registrar, another reseller, or found at the registry. */
  readonly arrived: number;
  readonly renewed: number;
  readonly lost: number;
}

function monthsOf(now: Date, count: number): Date[] {
  return Array.from(
    { length: count },
    (_, n) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - n))),
  );
}

/** Each of the last months including this one; also those without a domain. */
function byMonth(months: readonly Date[], counts: readonly NameCount[], isWholeService: boolean): NameMonth[] {
  const found = new Map(counts.map(({ month, what, names }) => [`${month} ${what}`, Number(names)]));
  return months.map((each) => {
    const month = each.toISOString().slice(0, 7);
    const of = (what: NameCount['what']) => found.get(`${month} ${what}`) ?? 0;
    // Over all accounts, a domain that moved between resellers neither came nor left.
    const [movedIn, moved] = isWholeService ? [0, 0] : [of('moved_in'), of('moved')];
    return {
      month,
      registered: of('registered'),
      arrived: of('arrived') + movedIn,
      renewed: of('renewed'),
      lost: of('lost') + moved,
    };
  });
}

export async function ownDomainCounts(ctx: AppContext, actor: Actor, count: number): Promise<NameMonth[]> {
  const months = monthsOf(ctx.clock.now(), count);
  const counts = await nameCounts(ctx.db.as(actor.resellerId), actor.resellerId, months[0]!);
  return byMonth(months, counts, false);
}

export async function allDomainCounts(ctx: AppContext, actor: Actor, count: number): Promise<NameMonth[]> {
  const db = everything(ctx, actor);
  const months = monthsOf(ctx.clock.now(), count);
  return byMonth(months, await nameCounts(db, undefined, months[0]!), true);
}
