import { allTenants } from '@namehold/base';
import { wasDone } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { Evidence, Reply } from './registry.ts';
import { findStatementCharge } from './statement.ts';

type Gone = Extract<Reply<never>, { kind: 'refused' }>;

/** RFC 5730 3: sponsored by another registrar (2201), or deleted (2303). Its present state says nothing about what we bought before. */
export const isElsewhere = (reply: Reply<unknown>): reply is Gone =>
  reply.kind === 'refused' && (reply.evidence.code === 2201 || reply.evidence.code === 2303);

export interface Elsewhere {
  /** When the registry acted, by its statement. */
  readonly found: Found<Date | null>;
  /** Set where no evidence is left, and an operator has to decide. */
  readonly ambiguousOutcome?: string;
}

/**
 * What became of the deciding command of an operation whose domain is no longer ours: the answer in the journal, else the registry's
 * statement, else an operator.
 */
export async function findElsewhereOutcome(run: Run<'renew' | 'restore'>, gone: Evidence): Promise<Elsewhere> {
  const { ctx, operation, registry } = run;
  const finding = await findStatementCharge(ctx, registry, operation);
  if (finding.kind === 'charged') return { found: { kind: 'done', data: finding.at } };
  if (await wasDone(ctx.db.as(allTenants), operation.id, operation.kind))
    return { found: { kind: 'done', data: null } };
  switch (finding.kind) {
    case 'given_back':
      return { found: { kind: 'refused', evidence: { text: 'the registry charged it and gave the money back' } } };
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
