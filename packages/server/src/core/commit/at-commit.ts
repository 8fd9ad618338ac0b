import { CommitBatch, type Sql } from '@namehold/postgres';
import { appendedEvents, type EventRow } from './appended-events.sql.ts';
import { insertedAudit, type NewAuditRow } from './inserted-audit.sql.ts';

type Recorded = { readonly audit: NewAuditRow } | { readonly event: EventRow };

/** Audit rows, and events if they belong together: written at the end of their transaction, in one statement. */
export const recorded = new CommitBatch<Recorded>(record);

function record(rows: readonly Recorded[]): Sql {
  const audit = rows.flatMap((row) => ('audit' in row ? [row.audit] : []));
  const events = rows.flatMap((row) => ('event' in row ? [row.event] : []));
  if (events.length === 0) return insertedAudit(audit);
  return appendedEvents(events, audit.length === 0 ? undefined : insertedAudit(audit));
}
