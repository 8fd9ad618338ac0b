import { type Autocommit, asyncCommit, sql, type Tx } from '@namehold/postgres';

interface Granted {
  readonly granted: number;
  readonly wait_ms: number;
}

/**
 * Commands that may be sent now, over all processes. Commits without waiting for the disk: after a crash, one more second's worth may be
 * sent.
 */
export function takeRateTokens(
  alone: Autocommit,
  registryId: string,
  perSecond: number,
  wanted: number,
  must: boolean,
): Promise<Granted> {
  return alone.one<Granted>(sql`
    select granted, wait_ms, ${asyncCommit}
    from registry_pace_take(${registryId}, ${perSecond}::float8, ${wanted}::integer, ${must}::boolean)`);
}

export interface Pause {
  readonly code: number;
  readonly delay_ms: number;
}

/** After a pause one command is tried; the others wait this long for its result. */
export async function beginTrial(alone: Autocommit, registryId: string, trialMs: number): Promise<boolean> {
  const begun = await alone.run(sql`
    update registry_pace set paused_until = now() + ${trialMs}::float8 * interval '1 millisecond', is_trial = true
    where registry_id = ${registryId} and paused_until <= now()`);
  return begun === 1;
}

/**
 * Starts the trial login before the end of the pause if no other process has a session. The surplus session may be gone with all others,
 * and no event would end the pause.
 */
export async function beginTrialWithoutSessions(
  alone: Autocommit,
  registryId: string,
  trialMs: number,
  afterMs: number,
): Promise<boolean> {
  const begun = await alone.run(sql`
    update registry_pace p set paused_until = now() + ${trialMs}::float8 * interval '1 millisecond', is_trial = true
    where p.registry_id = ${registryId} and p.pause_kind = 'session-limit' and not p.is_trial
      and p.paused_until - (p.pause_ms - ${afterMs}::float8) * interval '1 millisecond' <= now()
      and (select count(*) from registry_slot s where s.registry_id = p.registry_id and s.leased_until > now()) <= 1`);
  return begun === 1;
}

export function openPause(alone: Autocommit, registryId: string): Promise<Pause | undefined> {
  return alone.maybe<Pause>(sql`
    select pause_code as code, extract(epoch from paused_until - now())::float8 * 1000 as delay_ms
    from registry_pace where registry_id = ${registryId} and paused_until > now()`);
}

/** Longer than the previous pause of the same kind. Nothing: one is already open. */
export function beginPause(
  alone: Autocommit,
  registryId: string,
  pause: {
    readonly kind: string;
    readonly code: number;
    readonly firstMs: number;
    readonly maxMs: number;
    readonly factor: number;
  },
): Promise<Pause | undefined> {
  const longer = sql`case when p.pause_kind = ${pause.kind} then greatest(${pause.firstMs}::float8, least(p.pause_ms * ${pause.factor}::float8, ${pause.maxMs}::float8)) else ${pause.firstMs}::float8 end`;
  return alone.maybe<Pause>(sql`
    insert into registry_pace as p (registry_id, pause_kind, pause_code, pause_ms, paused_until)
    values (${registryId}, ${pause.kind}, ${pause.code}, ${pause.firstMs}::float8, now() + ${pause.firstMs}::float8 * interval '1 millisecond')
    on conflict (registry_id) do update set pause_kind = excluded.pause_kind, pause_code = excluded.pause_code, pause_ms = ${longer},
      paused_until = now() + (${longer}) * interval '1 millisecond', is_trial = false
    where p.paused_until is null or p.paused_until <= now() or p.is_trial
    returning pause_code as code, pause_ms as delay_ms`);
}

/** The try was not answered: the next may be made at once. */
export async function endTrial(alone: Autocommit, registryId: string): Promise<void> {
  await alone.run(sql`
    update registry_pace set paused_until = now(), is_trial = false where registry_id = ${registryId} and is_trial`);
}

/** Our settings have changed: the next login is tried at once. Its success ends the pause. */
export async function shortenPause(tx: Tx, registryId: string): Promise<void> {
  await tx.run(sql`
    update registry_pace set paused_until = now(), pause_ms = 0, is_trial = false
    where registry_id = ${registryId} and pause_kind is not null`);
}

/** A login succeeded. True: there was a pause. */
export async function endPause(alone: Autocommit, registryId: string): Promise<boolean> {
  const removed = await alone.run(sql`
    update registry_pace set pause_kind = null, pause_code = null, pause_ms = null, paused_until = null, is_trial = false
    where registry_id = ${registryId} and pause_kind is not null`);
  return removed === 1;
}
