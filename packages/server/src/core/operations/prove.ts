import type { Evidence } from '../domains/registry/registry.ts';
import type { JournalEvidence } from './journal.sql.ts';
import type { Operation, Proof } from './operation.ts';
import type { WorkflowResult } from './run.ts';

export type Proven = { readonly workflowResult: WorkflowResult; readonly proof?: Proof };

/**
 * Holds a final verdict against the journal. Where money hangs on it, done needs a success of the deciding step, and refused needs that
 * there is none and that nothing is open; what is neither, and cannot be asked for any more, is for a person. The database checks the same at commit.
 */
export function prove(operation: Operation, workflowResult: WorkflowResult, ruling: JournalEvidence): Proven {
  if (workflowResult.kind === 'done') {
    const proof = proofOf(operation, workflowResult, ruling);
    if (proof) return { workflowResult, proof };
    if (ruling.is_open) return { workflowResult: removed(workflowResult.evidence) };
    return {
      workflowResult: unproven(
        operation,
        'it seems done, but nothing that we sent explains it',
        workflowResult.evidence,
      ),
    };
  }
  const isGivenUp = workflowResult.kind === 'refused' || workflowResult.kind === 'cancelled';
  if (!isGivenUp || operation.transaction_id === null) return { workflowResult };
  if (ruling.answered || ruling.found) {
    const text = workflowResult.evidence.text ?? 'refused';
    return { workflowResult: unproven(operation, `carried out once, but now: ${text}`, workflowResult.evidence) };
  }
  // The no of this attempt stands in the journal, unless the journal has lost it.
  if (ruling.is_open && workflowResult.evidence.code !== undefined)
    return { workflowResult: removed(workflowResult.evidence) };
  if (ruling.is_open) {
    const why = 'a command may have left, what became of it is not known, and the registry can no longer tell';
    return { workflowResult: unproven(operation, why, workflowResult.evidence) };
  }
  return { workflowResult };
}

function proofOf(
  operation: Pick<Operation, 'decision' | 'transaction_id'>,
  workflowResult: Extract<WorkflowResult, { kind: 'done' }>,
  ruling: JournalEvidence,
): Proof | undefined {
  if (operation.decision?.says === 'done') return 'operator';
  if (ruling.answered) return 'answered';
  if (workflowResult.proof === 'auto_renewal') return 'auto_renewal';
  if (ruling.found) return 'found';
  if (workflowResult.proof === 'shown') return ruling.may_have_acted ? 'found' : undefined;
  const needsProof = operation.transaction_id !== null && workflowResult.proof === undefined;
  if (needsProof) return undefined;
  // A fresh read showed what was wanted. Where a command of an earlier attempt may have left, that is what explains it.
  return ruling.may_have_acted ? 'found' : 'nothing_sent';
}

/** Answers do not wait for the disk, and a database that died has forgotten this one: the registry is asked as about any that is missing. */
const removed = (evidence: Evidence | undefined): WorkflowResult => ({
  kind: 'unknown',
  why: 'the answer that decides it was lost again; the registry is asked about it',
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
