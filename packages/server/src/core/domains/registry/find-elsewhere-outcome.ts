import { allTenants } from '@namehold/postgres';
import { wasDone } from '../../operations/journal.sql.ts';
import { findStatementCharge } from '../../operations/registry-statement.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { Evidence, Reply } from '../../ports/registry.ts';

type Gone = Extract<Reply<never>, { kind: 'refused' }>;

/** RFC 5730 3: sponsored by another registrar (2201), or deleted (2303). The present status says nothing about our earlier purchase. */
export const isElsewhere = (reply: Reply<unknown>): reply is Gone =>
  reply.kind === 'refused' && (reply.evidence.code === 2201 || reply.evidence.code === 2303);

interface Elsewhere {
  /** When the registry acted, by its statement. */
  readonly found: Found<Date | null>;
  /** Set if no evidence is left and the operator has to decide. */
  readonly ambiguousOutcome?: string;
}

/**
 * The outcome of an operation's deciding command if the domain is no longer ours: from the answer in the journal, else the registry's
 * statement, else a decision of the operator.
 */
export async function findElsewhereOutcome(run: Run<'renew' | 'restore'>, gone: Evidence): Promise<Elsewhere> {
  const { ctx, operation, registry } = run;
  const finding = await findStatementCharge(ctx, registry, operation);
  if (finding.kind === 'charged') return { found: { kind: 'done', data: finding.at } };
  if (await wasDone(ctx.db.as(allTenants), operation.id, operation.kind))
    return { found: { kind: 'done', data: null } };
  switch (finding.kind) {
    case 'refunded':
      return { found: { kind: 'refused', evidence: { text: 'the registry charged it and refunded the charge' } } };
    case 'not_charged':
      if (run.isDecidedDone)
        return { found: { kind: 'unknown', why: 'the statement of the registry shows no charge for it' } };
      return { found: { kind: 'refused', evidence: gone } };
    case 'later':
      return { found: { kind: 'unknown', why: finding.why } };
    case 'no_statement': {
      if (run.isDecidedDone) return { found: { kind: 'done', data: null } };
      const ambiguousOutcome = `${gone.text ?? 'the domain is gone'}, the answer is missing, and the registry has no statement that would show a charge`;
      return { found: { kind: 'unknown', why: ambiguousOutcome }, ambiguousOutcome };
    }
  }
}
