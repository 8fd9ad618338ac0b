import { AtCommit, type Tx } from '@namehold/base';
import { appendedEvents, type EventRow } from '../events/append.sql.ts';
import { insertedAudit, type NewAuditRow } from './audit.sql.ts';

type Recorded = { readonly audit: NewAuditRow } | { readonly event: EventRow };

/** Audit rows, and events where they are told together: written at the end of their transaction, in one statement. */
export const recorded = new AtCommit<Recorded>(record);

async function record(tx: Tx, rows: readonly Recorded[]): Promise<void> {
  const audit = rows.flatMap((row) => ('audit' in row ? [row.audit] : []));
  const events = rows.flatMap((row) => ('event' in row ? [row.event] : []));
  if (events.length === 0) await tx.run(insertedAudit(audit));
  else await tx.run(appendedEvents(events, audit.length === 0 ? undefined : insertedAudit(audit)));
}
