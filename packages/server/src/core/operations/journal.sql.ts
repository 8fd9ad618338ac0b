import { type Autocommit, allTenants, asyncCommit, type Database, type Reader, sql, type Tx } from '@namehold/postgres';
import type { PendingAnswer } from '../ports/registry.ts';

interface JournalEntry {
  readonly clTRID: string;
  readonly registryId: string;
  readonly operationId: string | null;
  readonly step: string | null;
  readonly fence: string | null;
  readonly object: string;
  readonly verb: string;
  readonly name: string | null;
  readonly encryptedFrame: string;
  readonly frameSha256: string;
  readonly at: Date;
  /** A database crash may remove the row; see `CommandContext.pendingAnswers`. */
  readonly mayBeUnjournaled?: boolean;
}

export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Runs before the command is sent. A process whose lease was taken over writes nothing here, and so sends nothing. */
export async function journalPrepared(db: Database, entry: JournalEntry): Promise<void> {
  // From here on a command may have been sent: the same statement marks the operation.
  const inserted = await db.autocommit(allTenants).run(sql.kept`
    with mine as (
      select o.id, o.state from operation o where o.id = ${entry.operationId} and o.fence = ${entry.fence} for no key update
    ), begun as (
      update operation o set state = 'sent' from mine where o.id = mine.id and mine.state = 'intended'
    )
    insert into registry_command (cltrid, registry_id, operation_id, step, fence, object, verb, name, frame_sealed, frame_sha256, state, prepared_at)
    select ${entry.clTRID}, ${entry.registryId}, ${entry.operationId}, ${entry.step}, ${entry.fence}, ${entry.object}, ${entry.verb}, ${entry.name},
           ${entry.encryptedFrame}, ${entry.frameSha256}, 'prepared', ${entry.at}
    where ${entry.operationId}::text is null or exists (select from mine) ${entry.mayBeUnjournaled ? sql`returning ${asyncCommit}` : sql``}`);
  if (inserted !== 1) throw new LeaseLost(`operation ${entry.operationId} now belongs to another process`);
}

/**
 * Records the answer. Not flushed to disk: a row that stays `prepared` is queried like any other without an answer, and the transaction
 * that settles the operation makes this durable.
 */
export async function journalAnswered(db: Database, answer: PendingAnswer): Promise<void> {
  await db.autocommit(allTenants).run(sql.kept`${noteAnswer(answer)} returning ${asyncCommit}`);
}

const noteAnswer = (answer: PendingAnswer | undefined) => sql`
  update registry_command c set state = 'answered', result_code = ${answer?.code}, svtrid = ${answer?.svTRID}, answer_sealed = ${answer?.sealed},
    sent_at = ${answer?.sentAt}, answered_at = ${answer?.at}
  where c.cltrid = ${answer?.clTRID} and c.state in ('prepared', 'sent', 'unknown')`;

export async function journalUnknown(db: Database, clTRID: string, sentAt: Date | null, at: Date): Promise<void> {
  await db.autocommit(allTenants).run(sql`
    update registry_command set state = 'unknown', sent_at = ${sentAt}, answered_at = ${at}
    where cltrid = ${clTRID} and state in ('prepared', 'sent') returning ${asyncCommit}`);
}

/** Nothing was sent: the row stays as a record of the intention, resolved at once. */
export async function journalUnsent(db: Database, clTRID: string, at: Date): Promise<void> {
  await db.autocommit(allTenants).run(sql`
    update registry_command set state = 'resolved', found = 'unsent', answered_at = ${at} where cltrid = ${clTRID} and state = 'prepared' returning ${asyncCommit}`);
}

interface OpenCommand {
  readonly cltrid: string;
  readonly state: string;
  readonly prepared_at: Date;
}

/** A command that may have changed something at the registry: neither unsent nor answered with a refusal. */
const mayHaveActed = sql.raw(`found is distinct from 'unsent' and not (state = 'answered' and result_code >= 2000)`);

const succeeded = sql.raw(`(result_code between 1000 and 1999 or found in ('done', 'pending'))`);

/** The steps of an operation with a command that may have been sent, in any attempt of any process. */
export async function stepsSent(db: Reader, operationId: string): Promise<string[]> {
  const rows = await db.many<{ step: string }>(sql`
    select distinct step from registry_command where operation_id = ${operationId} and step is not null and ${mayHaveActed}`);
  return rows.map(({ step }) => step);
}

/** The client transaction identifiers of a step's commands that may have reached the registry. */
export async function clTRIDsOf(db: Reader, operationId: string, step: string): Promise<string[]> {
  const rows = await db.many<{ cltrid: string }>(sql`
    select cltrid from registry_command where operation_id = ${operationId} and step = ${step} and ${mayHaveActed}`);
  return rows.map(({ cltrid }) => cltrid);
}

/** Whether a command of this step other than the refused one may have been executed. */
export async function mayHaveActedBefore(
  db: Reader,
  operationId: string,
  step: string,
  refused: string | undefined,
): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 as one from registry_command
    where operation_id = ${operationId} and step = ${step} and cltrid <> ${refused ?? ''} and ${mayHaveActed} limit 1`);
  return row !== undefined;
}

/**
 * A command of this step that may have been sent and has no answer. If a query found it refused, it still counts as open: the order may
 * only continue after a later answer of the registry.
 */
export async function findOpenCommand(db: Reader, operationId: string, step: string): Promise<OpenCommand | undefined> {
  return db.maybe<OpenCommand>(sql`
    select cltrid, state, prepared_at from registry_command
    where operation_id = ${operationId} and step = ${step} and (state in ('prepared', 'sent', 'unknown') or found = 'refused')
    order by prepared_at desc limit 1`);
}

/**
 * The first of the equal commands of this step without an answer, including this one. Repeating it under its id lets the receiver
 * recognise the duplicates.
 */
export async function firstOfItsKind(
  db: Reader,
  operationId: string,
  step: string,
  frameSha256: string,
): Promise<string | undefined> {
  const row = await db.maybe<{ cltrid: string }>(sql`
    select c.cltrid from registry_command c
    where c.operation_id = ${operationId} and c.step = ${step} and c.frame_sha256 = ${frameSha256} and c.state <> 'answered'
      and not exists (select from registry_command l where l.operation_id = c.operation_id and l.step = c.step and l.state = 'answered'
        and l.prepared_at >= c.prepared_at)
    order by c.prepared_at, c.cltrid limit 1`);
  return row?.cltrid;
}

/** When the first and the last command of this step without an answer were sent; undefined if there is none. */
export async function unansweredTimes(
  db: Reader,
  operationId: string,
  step: string,
): Promise<{ readonly first: Date; readonly last: Date } | undefined> {
  const row = await db.one<{ first: Date | null; last: Date | null }>(sql`
    select min(prepared_at) as first, max(greatest(prepared_at, sent_at)) as last from registry_command
    where operation_id = ${operationId} and step = ${step} and state <> 'answered' and found is distinct from 'unsent'`);
  return row.first && row.last ? { first: row.first, last: row.last } : undefined;
}

/** Whether a command of this step is known to have succeeded. */
export async function wasDone(db: Reader, operationId: string, step: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 as one from registry_command where operation_id = ${operationId} and step = ${step} and ${succeeded} limit 1`);
  return row !== undefined;
}

/** When a command of this step is first known to have succeeded. */
export async function firstDoneAt(db: Reader, operationId: string, step: string): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select min(answered_at) as at from registry_command
    where operation_id = ${operationId} and step = ${step} and ${succeeded}`);
  return at;
}

/** How often the registry answered a command of this step with this code, in any attempt. */
export async function countAnswered(db: Reader, operationId: string, step: string, code: number): Promise<number> {
  const row = await db.one<{ n: number }>(sql`
    select count(*)::integer as n from registry_command where operation_id = ${operationId} and step = ${step} and result_code = ${code}`);
  return row.n;
}

/** Whether the registry has accepted a command of this step for review (1001) and none is known to be executed. */
export async function wasReviewed(db: Reader, operationId: string, step: string): Promise<boolean> {
  const row = await db.one<{ was_reviewed: boolean }>(sql`
    select coalesce(bool_or(result_code = 1001 or found = 'pending')
      and not bool_or(${succeeded} and result_code is distinct from 1001 and found is distinct from 'pending'), false) as was_reviewed
    from registry_command where operation_id = ${operationId} and step = ${step}`);
  return row.was_reviewed;
}

/** The journal's evidence about the deciding step, or about all steps if the operation costs nothing. */
export interface JournalEvidence {
  readonly answered: boolean;
  readonly found: boolean;
  readonly is_open: boolean;
  /** A command that was answered with a refusal does not count. */
  readonly may_have_acted: boolean;
}

/** Also writes the answers that are not in the journal yet. */
export async function readJournalEvidence(
  tx: Tx,
  operationId: string,
  step: string | null,
  pendingAnswers: readonly PendingAnswer[],
): Promise<JournalEvidence> {
  // One at a time, because the server replans a statement with a list for every length.
  const [first, ...others] = pendingAnswers;
  for (const answer of others) await tx.run(noteAnswer(answer));
  return tx.one<JournalEvidence>(sql.kept`
    with answered as (
      ${noteAnswer(first)} returning c.cltrid, c.step, c.state, c.result_code, c.found
    ), mine as (
      -- A statement does not see what it changes itself.
      select step, state, result_code, found from answered
      union all
      select step, state, result_code, found from registry_command
      where operation_id = ${operationId} and cltrid not in (select cltrid from answered)
    )
    select coalesce(bool_or(state = 'answered' and result_code between 1000 and 1999 and result_code <> 1001), false) as answered,
      coalesce(bool_or(found = 'done'), false) as found,
      coalesce(bool_or(state in ('prepared', 'sent', 'unknown')), false) as is_open,
      coalesce(bool_or(${mayHaveActed}), false) as may_have_acted
    from mine where step = coalesce(${step}, step)`);
}

/**
 * Records the result of a query with every command of the step that waited for it. `done` also resolves one command that was accepted
 * for review (1001), preferably the one last found pending, because each act of the registry belongs to one command. If all were
 * answered, the last one that was taken for lost did arrive.
 */
export async function resolveCommands(
  autocommit: Autocommit,
  operationId: string,
  step: string,
  at: Date,
  found: 'done' | 'pending' | 'never' | 'refused',
): Promise<void> {
  // RFC 5730 3: 1000 done, 1001 accepted and pending. The code that the lost answer must have had.
  const code = found === 'done' ? 1000 : found === 'pending' ? 1001 : null;
  const isSuccess = code !== null;
  await autocommit.run(sql`
    with mine as (select cltrid, state, found, result_code, prepared_at from registry_command where operation_id = ${operationId} and step = ${step}),
    late as (
      select cltrid from mine where ${isSuccess} and found in ('never', 'refused')
        and not exists (select from mine where state in ('prepared', 'sent', 'unknown') or ${succeeded})
      order by prepared_at desc limit 1),
    reviewed as (
      select cltrid from mine where ${found} = 'done' and result_code = 1001
        and not exists (select from mine where state in ('prepared', 'sent', 'unknown') or found = 'done')
      order by (found is distinct from 'pending'), prepared_at desc limit 1)
    update registry_command c set state = 'resolved', found = ${found}, answered_at = coalesce(c.answered_at, ${at}),
      result_code = coalesce(c.result_code, ${code}::int)
    where c.cltrid in (
      select cltrid from mine where state in ('prepared', 'sent', 'unknown')
      union all select cltrid from reviewed union all select cltrid from late)`);
}
