import { type Autocommit, asyncCommit, sql } from '@namehold/postgres';

interface TakenRequest {
  readonly decision: 'ask' | 'wait' | 'answer' | 'limited';
  /** With `answer`: encrypted. */
  readonly answer: string | null;
  /** With `limited`: until it may be sent again. */
  readonly wait_ms: number;
}

interface RequestToTake {
  readonly registryId: string;
  readonly request: string;
  readonly names: readonly string[];
  readonly caller: string;
  /** At most so many at once, and so many a second. */
  readonly burst: number;
  readonly perSecond: number;
  readonly freshMs: number;
  readonly askMs: number;
}

/** Whether a request to an upstream may be sent now, over all processes. */
export function takeUpstreamRequest(alone: Autocommit, taken: RequestToTake): Promise<TakenRequest> {
  return alone.one<TakenRequest>(sql`
    select decision, answer, wait_ms, ${asyncCommit}
    from upstream_request_take(${taken.registryId}, ${taken.request}, ${taken.names}::text[], ${taken.caller}, ${taken.burst}::float8,
      ${taken.perSecond}::float8, ${taken.freshMs}::float8, ${taken.askMs}::float8)`);
}

/** Null: there is no answer that may be shared. An answer from before a change of the domain is not stored. */
export async function keepUpstreamAnswer(
  alone: Autocommit,
  { registryId, request, caller }: Pick<RequestToTake, 'registryId' | 'request' | 'caller'>,
  encrypted: string | null,
): Promise<void> {
  await alone.run(sql`
    update upstream_request set answer_sealed = ${encrypted}, asked_by = null, asked_until = null
    where registry_id = ${registryId} and request = ${request} and asked_by = ${caller}`);
}

/** A domain was changed, so earlier answers about it are outdated. */
export async function deleteUpstreamAnswers(alone: Autocommit, registryId: string, name: string): Promise<void> {
  await alone.run(sql`
    update upstream_request set answer_sealed = null, asked_by = null, asked_until = null
    where registry_id = ${registryId} and ${name} = any (names) and (answer_sealed is not null or asked_by is not null)`);
}

/** They no longer limit anything. */
export async function purgeUpstreamRequests(alone: Autocommit, registryId: string, olderThanMs: number): Promise<void> {
  await alone.run(sql`
    delete from upstream_request
    where registry_id = ${registryId} and filled_at < now() - ${olderThanMs}::float8 * interval '1 millisecond'`);
}
