import { type Answer, EppInputError, EppReadError, EppUnsentError } from '@namehold/epp';
import type { Evidence, Reply } from '../../core/domains/registry/registry.ts';
import { chargedBy } from './fees.ts';

export function evidenceOf(answer: Answer<unknown>): Evidence {
  const svTRID = 'svTRID' in answer ? answer.svTRID : undefined;
  const charged = answer.kind === 'done' ? chargedBy(answer.ext.fee) : undefined;
  return {
    ...(answer.code === undefined ? {} : { code: answer.code }),
    text: answer.text,
    ...(answer.kind === 'refused' ? { reasons: answer.reasons } : {}),
    clTRID: answer.clTRID,
    ...(svTRID === undefined ? {} : { svTRID }),
    ...(charged ? { charged } : {}),
  };
}

/** RFC 5730 3: 2303 is "object does not exist", which for a question is an answer like any other. */
const doesNotExist = 2303;

interface Reading<A, T> {
  send(): Promise<Answer<A>>;
  read(data: A, answer: Extract<Answer<A>, { kind: 'done' }>): T;
  /** Given: 2303, or the code that says it of something else, is success with this value. */
  absent?: { value: T; code?: number };
}

/** From the protocol's answer to the port's reply. Nothing thrown by the client means that something may have left. */
export async function reply<A, T>(reading: Reading<A, T>): Promise<Reply<T>> {
  let answer: Answer<A>;
  try {
    answer = await reading.send();
  } catch (error) {
    // Our own journal, not the registry: a lost lease ends the attempt, anything else is an error of ours.
    if (error instanceof EppUnsentError && error.why === 'journal-failed') throw error.cause ?? error;
    if (error instanceof EppUnsentError) return { kind: 'unsent', why: error.message };
    // Refused by our own side of the protocol before a byte was sent: as definite as a registry's no, and none of its words.
    if (error instanceof EppInputError)
      return {
        kind: 'refused',
        evidence: { text: error.message, own: { field: error.field, code: 'invalid_argument' } },
      };
    throw error;
  }
  const evidence = evidenceOf(answer);
  if (answer.kind === 'unknown') {
    const isUnreadable = answer.why === 'unreadable-answer' ? ({ isUnreadable: true } as const) : {};
    return { kind: 'unknown', why: `${answer.why}: ${answer.text}`, evidence, ...isUnreadable };
  }
  if (answer.kind === 'refused') {
    // The refusal is about the session (login, session limit): the command itself was not looked at.
    if (answer.sessionFault) return { kind: 'unsent', why: `${answer.code} ${answer.text}` };
    if (reading.absent && answer.code === (reading.absent.code ?? doesNotExist))
      return { kind: 'done', data: reading.absent.value, pending: false, evidence };
    return { kind: 'refused', evidence };
  }
  try {
    return { kind: 'done', data: reading.read(answer.data, answer), pending: answer.pending, evidence };
  } catch (error) {
    if (!(error instanceof EppReadError)) throw error;
    return { kind: 'unknown', why: `unreadable-answer: ${error.message}`, evidence, isUnreadable: true };
  }
}
