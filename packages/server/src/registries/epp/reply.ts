import { type Answer, EppInputError, EppReadError, EppUnsentError } from '@namehold/epp';
import type { Evidence, Reply } from '../../core/ports/registry.ts';
import { chargedBy } from './fees.ts';

function evidenceOf(answer: Answer<unknown>): Evidence {
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

/** RFC 5730 3: 2303 is "object does not exist", which is a valid answer to a query. */
const doesNotExist = 2303;

interface Reading<A, T> {
  send(): Promise<Answer<A>>;
  read(data: A, answer: Extract<Answer<A>, { kind: 'done' }>): T;
  /** If given, 2303 (or the given code) is success with this value. */
  absent?: { value: T; code?: number };
}

/** Maps the protocol answer to the reply of the port. Errors that the client throws before sending mean that nothing was sent. */
export async function reply<A, T>(reading: Reading<A, T>): Promise<Reply<T>> {
  let answer: Answer<A>;
  try {
    answer = await reading.send();
  } catch (error) {
    // An error of our journal: a lost lease ends the attempt, anything else is an internal error.
    if (error instanceof EppUnsentError && error.why === 'journal-failed') throw error.cause ?? error;
    if (error instanceof EppUnsentError) return { kind: 'unsent', why: error.message };
    // Refused by our protocol layer before a byte was sent: definite, but not an answer of the registry.
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
    // The refusal concerns the session (login, session limit): the command was not processed.
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
