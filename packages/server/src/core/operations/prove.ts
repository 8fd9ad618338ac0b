import type { Evidence } from '../domains/registry/registry.ts';
import type { Ruling } from './journal.sql.ts';
import type { Operation, Proof } from './operation.ts';
import type { Verdict } from './run.ts';

export type Proven = { readonly verdict: Verdict; readonly proof?: Proof };

/**
 * Holds a final verdict against the journal. Where money hangs on it, done needs a success of the deciding step, and refused needs that
 * there is none and that nothing is open; what is neither, and cannot be asked for any more, is for a person. The database checks the same at commit.
 */
export function prove(operation: Operation, verdict: Verdict, ruling: Ruling): Proven {
  if (verdict.kind === 'done') {
    const proof = proofOf(operation, verdict, ruling);
    if (proof) return { verdict, proof };
    if (ruling.is_open) return { verdict: forgotten(verdict.evidence) };
    return { verdict: unproven(operation, 'it seems done, but nothing that we sent explains it', verdict.evidence) };
  }
  const isGivenUp = verdict.kind === 'refused' || verdict.kind === 'cancelled';
  if (!isGivenUp || operation.transaction_id === null) return { verdict };
  if (ruling.answered || ruling.found) {
    const text = verdict.evidence.text ?? 'refused';
    return { verdict: unproven(operation, `carried out once, but now: ${text}`, verdict.evidence) };
  }
  // The no of this attempt stands in the journal, unless the journal has lost it.
  if (ruling.is_open && verdict.evidence.code !== undefined) return { verdict: forgotten(verdict.evidence) };
  if (ruling.is_open) {
    const why = 'a command may have left, what became of it is not known, and the registry can no longer tell';
    return { verdict: unproven(operation, why, verdict.evidence) };
  }
  return { verdict };
}

function proofOf(
  operation: Pick<Operation, 'decision' | 'transaction_id'>,
  verdict: Extract<Verdict, { kind: 'done' }>,
  ruling: Ruling,
): Proof | undefined {
  if (operation.decision?.says === 'done') return 'operator';
  if (ruling.answered) return 'answered';
  if (verdict.proof === 'auto_renewal') return 'auto_renewal';
  if (ruling.found) return 'found';
  if (verdict.proof === 'shown') return ruling.may_have_acted ? 'found' : undefined;
  const needsProof = operation.transaction_id !== null && verdict.proof === undefined;
  if (needsProof) return undefined;
  // A fresh read showed what was wanted. Where a command of an earlier attempt may have left, that is what explains it.
  return ruling.may_have_acted ? 'found' : 'nothing_sent';
}

/** Answers do not wait for the disk, and a database that died has forgotten this one: the registry is asked as about any that is missing. */
const forgotten = (evidence: Evidence | undefined): Verdict => ({
  kind: 'unknown',
  why: 'the answer that decides it was lost again; the registry is asked about it',
  ...(evidence ? { evidence } : {}),
});

function unproven(operation: Operation, why: string, evidence: object | undefined): Verdict {
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
