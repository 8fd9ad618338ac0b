import { type Database, everyTenant, flushLater, type Queryable, sql } from '@namehold/base';

export interface JournalEntry {
  readonly clTRID: string;
  readonly registryId: string;
  readonly operationId: string | null;
  readonly step: string | null;
  readonly fence: string | null;
  readonly object: string;
  readonly verb: string;
  readonly name: string | null;
  readonly frameSealed: string;
  readonly frameSha256: string;
  readonly at: Date;
}

export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Before the bytes leave. A process whose lease was taken over writes nothing here, and so sends nothing. */
export async function journalPrepared(db: Database, entry: JournalEntry): Promise<void> {
  // From here on something may have left: the operation says so in the same statement.
  const inserted = await db.as(everyTenant).run(sql`
    with mine as (
      update operation o set state = case o.state when 'intended' then 'sent' else o.state end
      where o.id = ${entry.operationId} and o.fence = ${entry.fence}::bigint returning o.id
    )
    insert into registry_command (cltrid, registry_id, operation_id, step, fence, object, verb, name, frame_sealed, frame_sha256, state, prepared_at)
    select ${entry.clTRID}, ${entry.registryId}, ${entry.operationId}, ${entry.step}, ${entry.fence}::bigint, ${entry.object}, ${entry.verb}, ${entry.name},
           ${entry.frameSealed}, ${entry.frameSha256}, 'prepared', ${entry.at}
    where ${entry.operationId}::text is null or exists (select from mine)`);
  if (inserted !== 1) throw new LeaseLost(`operation ${entry.operationId} belongs to another process now`);
}

/**
 * What became of it. Not waited for on the disk: a row left `prepared` is asked about like any other whose answer is missing, and
 * the transaction that settles the operation brings this along.
 */
export async function journalAnswered(
  db: Database,
  clTRID: string,
  answer: { code: number; svTRID: string | null; sealed: string | null; sentAt: Date | null; at: Date },
): Promise<void> {
  await db.as(everyTenant).run(sql`
    update registry_command set state = 'answered', result_code = ${answer.code}, svtrid = ${answer.svTRID}, answer_sealed = ${answer.sealed},
      sent_at = ${answer.sentAt}, answered_at = ${answer.at}
    where cltrid = ${clTRID} and state in ('prepared', 'sent', 'unknown') returning ${flushLater}`);
}

export async function journalUnknown(db: Database, clTRID: string, sentAt: Date | null, at: Date): Promise<void> {
  await db.as(everyTenant).run(sql`
    update registry_command set state = 'unknown', sent_at = ${sentAt}, answered_at = ${at}
    where cltrid = ${clTRID} and state in ('prepared', 'sent') returning ${flushLater}`);
}

/** Nothing left: the row stays as a note that it was meant to, resolved at once. */
export async function journalUnsent(db: Database, clTRID: string, at: Date): Promise<void> {
  await db.as(everyTenant).run(sql`
    update registry_command set state = 'resolved', answered_at = ${at} where cltrid = ${clTRID} and state = 'prepared' returning ${flushLater}`);
}

export interface OpenCommand {
  readonly cltrid: string;
  readonly state: string;
  readonly prepared_at: Date;
}

/** A command of this step that may have left and whose outcome nobody recorded. */
export async function findOpenCommand(
  db: Queryable,
  operationId: string,
  step: string,
): Promise<OpenCommand | undefined> {
  return db.maybe<OpenCommand>(sql`
    select cltrid, state, prepared_at from registry_command
    where operation_id = ${operationId} and step = ${step} and state in ('prepared', 'sent', 'unknown')
    order by prepared_at desc limit 1`);
}

/** Whether a command of this step was ever answered with success. */
export async function wasDone(db: Queryable, operationId: string, step: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 as one from registry_command
    where operation_id = ${operationId} and step = ${step} and state in ('answered', 'resolved') and result_code between 1000 and 1999 limit 1`);
  return row !== undefined;
}

/** The code is what the lost answer must have said; without one a later attempt would take the step for not done and send it again. */
export async function resolveCommands(
  db: Queryable,
  operationId: string,
  step: string,
  at: Date,
  foundCode: number | null,
): Promise<void> {
  await db.run(sql`
    update registry_command set state = 'resolved', answered_at = coalesce(answered_at, ${at}), result_code = coalesce(result_code, ${foundCode}::int)
    where operation_id = ${operationId} and step = ${step} and state in ('prepared', 'sent', 'unknown')`);
}
