import type { Operation, Proof } from '../model/operation.ts';
import type { Evidence } from '../ports/registry.ts';
import type { JournalEvidence } from './journal.sql.ts';
import type { WorkflowResult } from './run.ts';

type Proven = { readonly workflowResult: WorkflowResult; readonly proof?: Proof };

/**
 * Checks a final result against the journal. For an operation that costs money, done needs a success of the deciding step. Refused needs
 * that there is none and that no command is open. Anything else that cannot be queried any more needs a decision. The database checks
 * the same at commit.
 */
export function prove(operation: Operation, workflowResult: WorkflowResult, journal: JournalEvidence): Proven {
  if (workflowResult.kind === 'done') {
    const proof = proofOf(operation, workflowResult, journal);
    if (proof) return { workflowResult, proof };
    if (journal.is_open) return { workflowResult: answerLost(workflowResult.evidence) };
    return {
      workflowResult: unproven(
        operation,
        'The registry shows the result, but the journal has no command that could have caused it.',
        workflowResult.evidence,
      ),
    };
  }
  const isGivenUp = workflowResult.kind === 'refused' || workflowResult.kind === 'cancelled';
  if (!isGivenUp || operation.transaction_id === null) return { workflowResult };
  if (journal.answered || journal.found) {
    const text = workflowResult.evidence.text ?? 'refused';
    return {
      workflowResult: unproven(
        operation,
        `An earlier command succeeded, but the registry now reports: ${text}`,
        workflowResult.evidence,
      ),
    };
  }
  // The refusal of this attempt is in the journal, unless a crash has removed it.
  if (journal.is_open && workflowResult.evidence.code !== undefined)
    return { workflowResult: answerLost(workflowResult.evidence) };
  if (journal.is_open) {
    const why = 'a command may have been sent, its outcome is not known, and the registry can no longer report it';
    return { workflowResult: unproven(operation, why, workflowResult.evidence) };
  }
  return { workflowResult };
}

function proofOf(
  operation: Pick<Operation, 'decision' | 'transaction_id'>,
  workflowResult: Extract<WorkflowResult, { kind: 'done' }>,
  journal: JournalEvidence,
): Proof | undefined {
  if (operation.decision?.says === 'done') return 'operator';
  if (journal.answered) return 'answered';
  if (workflowResult.proof === 'auto_renewal') return 'auto_renewal';
  if (journal.found) return 'found';
  if (workflowResult.proof === 'shown') return journal.may_have_acted ? 'found' : undefined;
  const needsProof = operation.transaction_id !== null && workflowResult.proof === undefined;
  if (needsProof) return undefined;
  // A fresh read showed the wanted state. If a command of an earlier attempt may have been sent, it is the explanation.
  return journal.may_have_acted ? 'found' : 'nothing_sent';
}

/** Answers are not flushed to disk, and a database crash removed this one. The registry is queried as for any missing answer. */
const answerLost = (evidence: Evidence | undefined): WorkflowResult => ({
  kind: 'unknown',
  why: 'the deciding answer was lost; the registry is queried about it',
  ...(evidence ? { evidence } : {}),
});

function unproven(operation: Operation, why: string, evidence: object | undefined): WorkflowResult {
  return {
    kind: 'action_required',
    why,
    facts: {
      operation_id: operation.id,
      kind: operation.kind,
      registry_id: operation.registry_id,
      evidence: evidence ?? {},
    },
    choices: ['done', 'refused', 'ask_again'],
  };
}
