import { allTenants, sql } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';

/** Takes or keeps the lease of a named job. Uses the database's clock, which all processes share. */
export async function takeLease(ctx: AppContext, name: string, owner: string): Promise<boolean> {
  const taken = await ctx.db.autocommit(allTenants).run(sql`
    insert into job_lease as l (name, owner, leased_until)
    values (${name}, ${owner}, now() + ${ctx.config.leaseMs}::float8 * interval '1 millisecond')
    on conflict (name) do update set owner = excluded.owner, leased_until = excluded.leased_until
    where l.leased_until is null or l.leased_until <= now() or l.owner = ${owner}`);
  return taken === 1;
}

export async function releaseLease(ctx: AppContext, name: string, owner: string): Promise<void> {
  await ctx.db.autocommit(allTenants).run(sql`
    update job_lease set owner = null, leased_until = null where name = ${name} and owner = ${owner}`);
}

/** Makes it due now, whenever the last run was. */
export async function requestRun(ctx: AppContext, name: string): Promise<void> {
  await ctx.db.autocommit(allTenants).run(sql`
    insert into job_lease as l (name) values (${name}) on conflict (name) do update set done_at = null`);
}

/** True for one process once in each period. */
export async function claimRun(ctx: AppContext, name: string, everyMs: number): Promise<boolean> {
  const taken = await ctx.db.autocommit(allTenants).run(sql`
    insert into job_lease as l (name, done_at) values (${name}, now())
    on conflict (name) do update set done_at = excluded.done_at
    where l.done_at is null or l.done_at <= now() - ${everyMs}::float8 * interval '1 millisecond'`);
  return taken === 1;
}
