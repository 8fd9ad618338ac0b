import { type Autocommit, asyncCommit, type Reader, type Sql, sql, Table, type Tx } from '@namehold/postgres';
import type { HeldKey } from '../app-context.ts';
import { type Approval, approvalChoices } from '../model/approval.ts';
import {
  type Attention,
  type Decision,
  isFinal,
  type Operation,
  type OperationState,
  type OrderingUser,
  operationLimits,
  type Proof,
  type Step,
} from '../model/operation.ts';
import type { Kind } from '../model/operation-kinds.ts';
import type { Evidence } from '../ports/registry.ts';
import { notifyDueSql } from './notify.sql.ts';

/** The row of all kinds; these five columns have types per kind. */
type StoredOperation = Omit<Operation, 'kind' | 'domain_id' | 'contact_id' | 'request' | 'outcome'> & {
  readonly kind: string;
  readonly domain_id: string | null;
  readonly contact_id: string | null;
  readonly request: object;
  readonly outcome: object | null;
};

export const operationTable = new Table<StoredOperation>('operation', {
  id: 'text',
  reseller_id: 'bigint',
  kind: 'text',
  domain_id: 'bigint?',
  contact_id: 'bigint?',
  registry_id: 'text?',
  request: 'jsonb',
  secrets_sealed: 'text?',
  state: 'text',
  steps: 'jsonb',
  transaction_id: 'bigint?',
  bill_id: 'bigint?',
  result_code: 'integer?',
  result_text: 'text?',
  reasons: 'jsonb',
  cltrid: 'text?',
  svtrid: 'text?',
  outcome: 'jsonb?',
  request_id: 'text?',
  key_id: 'text?',
  person: 'jsonb?',
  attempts: 'integer',
  setbacks: 'integer',
  due_at: 'timestamptz',
  fence: 'text',
  proof: 'text?',
  attention: 'jsonb?',
  decision: 'jsonb?',
  approval: 'jsonb?',
  approval_until: 'timestamptz?',
  taker_id: 'bigint?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  finished_at: 'timestamptz?',
});
const { columns } = operationTable;

interface NewOperation {
  readonly id: string;
  readonly resellerId: string;
  readonly kind: Kind;
  readonly domainId?: string | null;
  readonly contactId?: string | null;
  readonly registryId: string | null;
  readonly request: object;
  readonly encryptedSecrets?: string | null;
  readonly transactionId?: string | null;
  readonly billId?: string | null;
  readonly requestId: string;
  readonly keyId: string | null;
  readonly person: OrderingUser | null;
  readonly dueInMs: number;
  /** The approval that must be given before it starts. */
  readonly approval?: Approval | undefined;
  /** The idempotency key whose response is this operation from now on; in the same statement. */
  readonly held?: HeldKey | undefined;
  /** The process that runs it at once without a claim: it has the lease from the start. */
  readonly lease?: { readonly owner: string; readonly ms: number } | undefined;
  readonly now: Date;
}

interface Placed {
  readonly operation: Operation;
  /** How many idempotency keys follow it now: none if another process has taken the key over, or if there is none. */
  readonly followed: number;
}

export async function insertOperation(tx: Tx, o: NewOperation): Promise<Placed> {
  const order = JSON.stringify({
    id: o.id,
    reseller_id: o.resellerId,
    kind: o.kind,
    domain_id: o.domainId ?? null,
    contact_id: o.contactId ?? null,
    registry_id: o.registryId,
    request: o.request,
    secrets_sealed: o.encryptedSecrets ?? null,
    state: o.approval ? 'action_required' : 'intended',
    attention: o.approval ? approvalAttention(o.approval) : null,
    approval: o.approval ?? null,
    approval_until: o.approval?.until ?? null,
    transaction_id: o.transactionId ?? null,
    bill_id: o.billId ?? null,
    request_id: o.requestId,
    key_id: o.keyId,
    person: o.person,
    due_in_ms: o.dueInMs,
    lease_owner: o.lease?.owner ?? null,
    lease_ms: o.lease?.ms ?? null,
    created_at: o.now,
    updated_at: o.now,
  });
  const { followed, ...operation } = await tx.one<Operation & { followed: number }>(sql.kept`
    with followed as (${o.held ? follow(o.held, o.id) : sql`select 1 as one where false`})
    select ${columns}, (select count(*)::integer from followed) as followed from operation_place(${order}, ${tx.sign(order, 'operation')})`);
  return { operation: operation as Operation, followed };
}

/** Links an idempotency key, if it is still held, to the operation that gives its response. */
const follow = ({ resellerId, key, token }: HeldKey, operationId: string) => sql`
  update idempotency set state = 'operation', operation_id = ${operationId}
  where reseller_id = ${resellerId} and key = ${key} and token = ${token} returning 1 as one`;

export async function followOperation(tx: Tx, held: HeldKey, operationId: string): Promise<number> {
  return tx.run(follow(held, operationId));
}

export function approvalAttention({ until, awaits }: Approval): Attention {
  if (awaits === 'holders')
    return { why: `Waiting for the registrants to confirm, until ${until}.`, facts: {}, choices: ['decline'] };
  if (awaits === 'taker')
    return { why: `Waiting for the receiving reseller to accept, until ${until}.`, facts: {}, choices: ['decline'] };
  return { why: `Waiting for approval by another key or user, until ${until}.`, facts: {}, choices: approvalChoices };
}

/** On domains that belong to this customer now. */
export const ofCustomer = (customerId: string) =>
  sql`exists (select from domain d where d.id = operation.domain_id and d.customer_id = ${customerId})`;

export async function findOperation(
  db: Reader,
  resellerId: string,
  id: string,
  customerId?: string,
): Promise<Operation | undefined> {
  return db.maybe<Operation>(sql`
    select ${columns} from operation
    where id = ${id} and reseller_id = ${resellerId} ${customerId === undefined ? sql`` : sql`and ${ofCustomer(customerId)}`}`);
}

/** An operation that waits for approval does not count as open. */
export async function findOpenOperation(db: Reader, domainId: string): Promise<Operation | undefined> {
  return db.maybe<Operation>(sql`
    select ${columns} from operation
    where domain_id = ${domainId} and state not in ('done', 'refused', 'cancelled') and approval_until is null`);
}

/** The change of a domain that waits for approval and ends first. */
export async function findWaitingChange(db: Reader, domainId: string): Promise<Operation | undefined> {
  return db.maybe<Operation>(sql`
    select ${columns} from operation
    where domain_id = ${domainId} and state = 'action_required' and approval_until is not null
    order by approval_until, id limit 1`);
}

/**
 * Takes the lease with a new token, unless another process holds it, the operation is final, or it waits for a decision. Leases and due
 * times use only the database's clock, because the clocks of hosts may differ. The claim is not flushed to disk: if a crash removes it,
 * its token is lost too, and the journal refuses the process that still holds it.
 */
export async function claimOperation(
  alone: Autocommit,
  id: string,
  owner: string,
  leaseMs: number,
  isOnlyDue: boolean,
): Promise<Operation | undefined> {
  return alone.maybe<Operation>(sql`
    update operation set lease_owner = ${owner}, leased_until = now() + ${leaseMs} * interval '1 millisecond', fence = gen_random_uuid()::text, attempts = attempts + 1,
      updated_at = now()
    where id = ${id} and state not in ('done', 'refused', 'cancelled', 'action_required')
      and (leased_until is null or leased_until <= now() or lease_owner = ${owner}) and (not ${isOnlyDue}::boolean or due_at <= now())
    returning ${columns}, ${asyncCommit}`);
}

/**
 * Extends the leases of a live process; a dead one loses them. A locked row is being settled and is skipped, so that it does not delay
 * the others.
 */
export async function renewLeases(tx: Tx, owner: string, ids: readonly string[], leaseMs: number): Promise<void> {
  await tx.run(sql`
    update operation set leased_until = now() + ${leaseMs} * interval '1 millisecond' where id in (
      select id from operation where id = any (${ids}::text[]) and lease_owner = ${owner} and leased_until is not null
      for no key update skip locked)`);
}

export interface DueOperation {
  readonly id: string;
  readonly registry_id: string | null;
}

/** The most overdue of each registry first, so that a registry with many operations does not delay the others. */
export async function dueOperations(
  db: Reader,
  limits: { readonly perRegistry: number; readonly all: number },
): Promise<DueOperation[]> {
  return db.many<DueOperation>(sql`
    select id, registry_id from (
      select id, registry_id, due_at, row_number() over (partition by registry_id order by due_at) as place from operation
      where state not in ('done', 'refused', 'cancelled', 'action_required') and due_at <= now()
        and (leased_until is null or leased_until <= now())) due
    where place <= ${limits.perRegistry} order by place, due_at limit ${limits.all}`);
}

/** Makes operations that wait for a registry due now. */
export async function wakeWaiting(alone: Autocommit): Promise<void> {
  await alone.run(sql`update operation set due_at = now() where state = 'waiting_registry' and due_at > now()`);
}

export interface StateChange {
  /** `as_it_was`: this attempt changed nothing at the registry; the state from earlier attempts stays. */
  readonly state: OperationState | 'as_it_was';
  readonly now: Date;
  readonly retryMs: number;
  /** This attempt is not counted. */
  readonly isUntried?: boolean;
  /** Whether the registry failed to give the outcome or gave an answer; left out: unknown. */
  readonly progress?: 'setback' | 'answer';
  readonly evidence?: Evidence | undefined;
  readonly outcome?: object | undefined;
  readonly proof?: Proof | undefined;
  readonly attention?: Attention | undefined;
  readonly steps: readonly Step[];
}

/** Sent, and never answered, whatever a later query found. */
const isUnanswered = sql.raw(`(c.found in ('never', 'refused') or c.state in ('prepared', 'sent', 'unknown'))`);

/** RFC 5730 3: codes from here on are refusals. An operation that is done in spite of one was proved by other evidence. */
const firstRefusal = 2_000;
const isRefusal = (evidence: Evidence | undefined): evidence is Evidence => (evidence?.code ?? 0) >= firstRefusal;
const withoutRefusal = ({ code: _code, text: _text, reasons: _reasons, ...rest }: Evidence): Evidence => rest;

const stateBefore = sql`case
  when not exists (select from registry_command c where c.operation_id = o.id and c.found is distinct from 'unsent') then 'intended'
  when o.state = 'intended' then 'sent' else o.state end`;

/** A command without an answer can still arrive, so the registry is queried once more later. */
const firstCheck = sql`case when exists (select from registry_command c where c.operation_id = o.id and ${isUnanswered})
  then now() + ${operationLimits.firstCheckMs} * interval '1 millisecond' end`;

/** Undefined if the fence has changed: another process owns the operation now, and this one must not settle it. */
export async function changeState(
  tx: Autocommit,
  id: string,
  fence: string,
  change: StateChange,
  along: Sql = sql``,
): Promise<Operation | undefined> {
  const isDone = change.state === 'done';
  const evidence = isDone && isRefusal(change.evidence) ? withoutRefusal(change.evidence) : change.evidence;
  const json = (value: object | undefined) => (value ? JSON.stringify(value) : null);
  const isFinalState = change.state !== 'as_it_was' && isFinal(change.state);
  return tx.maybe<Operation>(sql.kept`
    update operation o set state = ${change.state === 'as_it_was' ? stateBefore : sql`${change.state}::text`},
      updated_at = ${change.now}, due_at = now() + ${change.retryMs} * interval '1 millisecond',
      leased_until = null, lease_owner = null, attempts = attempts - ${change.isUntried ? 1 : 0}, setbacks = case ${change.progress ?? 'none'}::text when 'setback' then setbacks + 1 when 'answer' then 0 else setbacks end,
      silent_since = case ${change.progress ?? 'none'}::text when 'setback' then coalesce(silent_since, ${change.now}) when 'answer' then null else silent_since end,
      result_code = coalesce(${evidence?.code ?? null}, case when ${isDone} and result_code >= ${firstRefusal} then null else result_code end),
      result_text = coalesce(${evidence?.text ?? null}, case when ${isDone} and result_code >= ${firstRefusal} then null else result_text end),
      reasons = coalesce(${evidence?.reasons ? JSON.stringify(evidence.reasons) : null}::jsonb, case when ${isDone} then '[]' else reasons end),
      cltrid = coalesce(${evidence?.clTRID ?? null}, cltrid), svtrid = coalesce(${evidence?.svTRID ?? null}, svtrid),
      outcome = coalesce(${json(change.outcome)}::jsonb, outcome), proof = ${change.proof ?? null},
      attention = ${json(change.attention)}::jsonb,
      steps = case when jsonb_array_length(steps) < ${operationLimits.stepsKept} then steps || ${JSON.stringify(change.steps)}::jsonb else steps end,
      finished_at = ${isFinalState ? change.now : null},
      look_again_at = ${isFinalState ? firstCheck : sql`null`}
    where id = ${id} and fence = ${fence} and state not in ('done', 'refused', 'cancelled')
    returning ${columns} ${along}`);
}

/**
 * Gives the operation back, due at once, and notifies the other processes. Not flushed to disk: if a crash removes it, the lease
 * expires.
 */
export async function leaveToOthers(
  alone: Autocommit,
  operation: Pick<Operation, 'id' | 'fence' | 'registry_id'>,
  { now, steps }: Pick<StateChange, 'now' | 'steps'>,
): Promise<boolean> {
  const change = { state: 'as_it_was', now, retryMs: 0, isUntried: steps.length === 0, steps } as const;
  const { id, fence } = operation;
  return (await changeState(alone, id, fence, change, sql`, ${asyncCommit}, ${notifyDueSql(operation)}`)) !== undefined;
}

/** Only while no command has been sent. */
export async function cancelIntended(tx: Tx, id: string, now: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update operation o set state = 'cancelled', updated_at = ${now}, finished_at = ${now}, fence = gen_random_uuid()::text, leased_until = null
    where id = ${id} and state in ('intended', 'action_required') and approval_until is null
      and not exists (select from registry_command c where c.operation_id = o.id and c.found is distinct from 'unsent')`);
  return changed === 1;
}

/** Stores the operator's decision. A running attempt is fenced off, and the next one reads the decision. */
export async function recordDecision(tx: Tx, id: string, decision: Decision): Promise<Operation | undefined> {
  return tx.maybe<Operation>(sql`
    update operation set decision = ${JSON.stringify(decision)}::jsonb, attention = null, due_at = now(), fence = gen_random_uuid()::text,
      leased_until = null, lease_owner = null, state = case state when 'action_required' then 'unknown' else state end
    where id = ${id} and state not in ('done', 'refused', 'cancelled') and approval_until is null
    returning ${columns}`);
}

/** Takes back a decision that settled nothing. An attempt that still follows it is fenced off. Undefined: it has settled the operation. */
export async function deleteDecision(tx: Tx, id: string, decision: Decision): Promise<Operation | undefined> {
  return tx.maybe<Operation>(sql`
    update operation set decision = null, fence = gen_random_uuid()::text, leased_until = null, lease_owner = null
    where id = ${id} and state not in ('done', 'refused', 'cancelled') and decision = ${JSON.stringify(decision)}::jsonb
    returning ${columns}`);
}

/**
 * When the command of a running attempt was prepared that has no answer yet. A dead process loses its lease, and a late answer ends the
 * attempt. Locks the operation, so that no command is sent until the transaction ends.
 */
export async function findCommandInFlight(tx: Tx, id: string): Promise<Date | undefined> {
  // Two statements, because the second must see a command that was committed while the first waited for the lock.
  await tx.run(sql`select 1 as one from operation where id = ${id} for no key update`);
  const row = await tx.maybe<{ prepared_at: Date }>(sql`
    select c.prepared_at from registry_command c join operation o on o.id = c.operation_id
    where o.id = ${id} and o.leased_until > now() and c.state in ('prepared', 'sent') order by c.prepared_at desc limit 1`);
  return row?.prepared_at;
}

/** Whether an attempt that began after this many has ended. */
export async function isAttempted(db: Reader, id: string, attempts: number): Promise<boolean> {
  const { is_attempted } = await db.one<{ is_attempted: boolean }>(sql`
    select attempts > ${attempts} and (leased_until is null or leased_until <= now()) as is_attempted from operation where id = ${id}`);
  return is_attempted;
}

export { columns as operationColumns };
