import { type Reader, sql } from '@namehold/postgres';
import type { Slice } from '../ledger/verify.sql.ts';
import type { FoundRow } from './difference.ts';

export async function nextOperations(db: Reader, after: string, size: number): Promise<string | undefined> {
  const row = await db.one<{ last: string | null }>(sql`
    select max(id) as last from (select id from operation where id > ${after} order by id limit ${size}) s`);
  return row.last ?? undefined;
}

/** Answered with success, or found to be carried out although the answer is missing. */
const isConfirmed = sql.raw(
  `(c.found in ('done', 'pending') or (c.state in ('answered', 'resolved') and c.result_code between 1000 and 1999))`,
);
/**
 * RFC 5730 section 3: 1001 is accepted and pending. The registry may still refuse a registration or a transfer after it; a delete
 * proceeds.
 */
export const isDone = sql.raw(
  `(c.found = 'done' or (c.state in ('answered', 'resolved') and c.result_code between 1000 and 1999
    and (c.result_code <> 1001 or o.kind not in ('register', 'transfer'))))`,
);

/** A query that an operator requested, or a decision that settled nothing, explains no refusal. */
const isRefusedByOperator = sql.raw(`coalesce(o.decision ->> 'says' = 'refused', false)`);

/**
 * Operations that buy or undo something at a registry, with the commands of the step that does it (the step is named like the kind). The
 * evidence of a finished one (`proof`) must exist: the answer, a command whose outcome could be queried, or a decision.
 */
export async function operationsAgainstJournal(
  db: Reader,
  { after, upTo }: Slice,
  toleranceSeconds: number,
): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    with slice as (
      select o.id, o.kind, o.state, o.proof, o.decision, o.domain_id, o.registry_id, o.transaction_id, o.arrived_late_at, o.request ->> 'name' as name
      from operation o
      where o.id > ${after} and o.id <= ${upTo} and o.kind in ('register', 'renew', 'restore', 'delete', 'transfer')
    ), journal as (
      select c.operation_id, count(*) filter (where c.found is distinct from 'unsent') as sent,
        count(*) filter (where ${isConfirmed}) as yes, count(*) filter (where ${isDone}) as done,
        -- The result of a query is one execution, whatever number of commands it was recorded with.
        count(*) filter (where ${isDone} and c.found is null) + least(1, count(*) filter (where c.found = 'done')) as acts,
        count(*) filter (where c.state in ('prepared', 'sent', 'unknown')) as open,
        max(c.answered_at) filter (where ${isDone}) as done_at
      from registry_command c join slice o on o.id = c.operation_id and c.step = o.kind
      group by c.operation_id
    ), judged as (
      select o.id, o.kind, o.state, o.proof, o.domain_id, o.registry_id, o.transaction_id, o.name, coalesce(j.done, 0) as done, coalesce(j.open, 0) as open,
        case
          when o.state in ('refused', 'cancelled') and o.arrived_late_at is not null then 'arrived_late'
          when j.acts > 1 then 'sent_twice'
          when o.state = 'done' and not coalesce(case o.proof
              when 'answered' then j.yes > 0
              when 'found' then j.sent > 0
              when 'poll' then j.sent > 0
              when 'auto_renewal' then o.kind = 'renew'
              when 'nothing_sent' then o.transaction_id is null
              when 'operator' then o.decision ->> 'says' = 'done' end, false) then 'done_without_answer'
          when o.state in ('refused', 'cancelled') and not ${isRefusedByOperator} and j.done > 0 then 'refused_after_success'
          when o.state in ('refused', 'cancelled') and not ${isRefusedByOperator} and j.open > 0 then 'refused_without_answer'
          when o.state in ('intended', 'sent', 'unknown') and j.done > 0
            and j.done_at < now() - make_interval(secs => ${toleranceSeconds}) then 'answered_not_settled'
        end as rule
      from slice o left join journal j on j.operation_id = o.id
    )
    select rule, 'operation ' || o.id as subject,
      o.kind || ' is ' || o.state || coalesce(' by ' || o.proof, '') || case rule
        when 'arrived_late' then ', and the registry carried it out after that: an unanswered command of it arrived late'
        else '; its command has ' || o.done || ' answers of success, ' || o.open || ' without an answer' end as detail,
      o.id as operation_id, o.transaction_id, o.domain_id, o.registry_id, o.name, t.amount, t.currency
    from judged o left join ledger_transaction t on t.id = o.transaction_id
    where rule is not null order by o.id`);
}

/** Every sale has a purchase, and it is the one that the operation names. */
export async function operationsWithoutPurchase(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'operation_without_purchase' as rule, 'operation ' || o.id as subject,
      o.kind || ' is ' || o.state || ' and names transaction ' || coalesce(o.transaction_id::text, 'none') || ', the ledger has '
        || coalesce(t.id::text, 'none') || ' for it' as detail,
      o.id as operation_id, o.transaction_id, o.domain_id, o.registry_id, o.request ->> 'name' as name, t.amount, t.currency
    from operation o left join ledger_transaction t on t.operation_id = o.id and t.id = t.purchase_id
    where o.id > ${after} and o.id <= ${upTo} and o.kind in ('register', 'renew', 'transfer', 'restore', 'buy_privacy')
      and o.transaction_id is distinct from t.id
    order by o.id`);
}
