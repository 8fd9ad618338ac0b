import { domainToASCII } from 'node:url';
import type { Answer, Unknown, UnknownReason } from '../model/answer.ts';
import type { DataOf, EppRequest, ObjectRequest } from '../model/request.ts';
import type { AnswerData, EppResponse } from '../model/response.ts';
import { MESSAGE_CODE, SESSION_FAULT_CODES, UNCERTAIN_CODES } from '../results.ts';
import type { ExchangeResult } from './session.ts';

/** False for a query. */
export function isTransform(request: EppRequest): boolean {
  if (request.verb === 'check' || request.verb === 'info') return false;
  if (request.verb === 'transfer') return request.op !== 'query';
  return request.object !== 'session' && request.verb !== 'request';
}

/** Names or ids that a command is about. */
export function targetsOf(request: ObjectRequest): readonly string[] {
  if ('names' in request) return request.names;
  if ('ids' in request) return request.ids;
  if ('name' in request) return [request.name];
  if ('id' in request) return [request.id];
  return 'msgID' in request ? [request.msgID] : [];
}

/** The data type that each query must return. Without it, a success cannot be reported as `done`. */
function neededData(request: EppRequest): AnswerData['type'] | undefined {
  if (request.verb === 'transfer') return request.op === 'query' ? 'trnData' : undefined;
  // RFC 8334 3.1.1, 3.1.3: only the extension says whether trademark claims exist for a name.
  const launch = request.object === 'domain' && request.verb === 'check' ? request.ext?.launch : undefined;
  if (launch && launch.type !== 'avail') return undefined;
  return request.verb === 'check' ? 'chkData' : request.verb === 'info' ? 'infData' : undefined;
}

const plainName = (name: string): string => {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return /^[\x21-\x7e]*$/.test(bare) ? bare : domainToASCII(bare);
};

/**
 * Whether an answer is about another object than the command. Such an answer proves nothing about this command.
 * Some registries give a new contact an id of their own.
 */
function isAboutAnother(request: ObjectRequest, about: string | undefined): boolean {
  if (about === undefined || request.object === 'poll' || request.verb === 'check') return false;
  if (request.object === 'contact' && request.verb === 'create') return false;
  const [target] = targetsOf(request);
  return target !== undefined && plainName(about) !== plainName(target);
}

/** Why an answer of success cannot be accepted; undefined if it can. */
function findMismatch(request: ObjectRequest, { results, about, msgQ }: EppResponse): string | undefined {
  if (isAboutAnother(request, about)) return `the answer is about ${about === '' ? 'nothing' : about}`;
  const isMessage = request.object === 'poll' && request.verb === 'request' && results[0].code === MESSAGE_CODE;
  return isMessage && !msgQ?.id ? 'a message without an id, which cannot be acknowledged' : undefined;
}

export function toAnswer<R extends ObjectRequest>(
  request: R,
  clTRID: string,
  end: Exclude<ExchangeResult, { kind: 'unsent' }>,
): Answer<DataOf<R>> {
  if (end.kind === 'lost') return unknown(clTRID, end.why, end.text);
  const { response, frame } = end;
  const { code, msg } = response.results[0];
  const shared = {
    results: response.results,
    ext: response.ext,
    ...(response.msgQ === undefined ? {} : { msgQ: response.msgQ }),
    clTRID,
    svTRID: response.svTRID,
    frame,
  };
  const uncertain = response.results.find((result) => UNCERTAIN_CODES.has(result.code));
  if (uncertain !== undefined) {
    const text = [uncertain.msg, ...reasonsOf(response)].join('; ');
    return { ...unknown(clTRID, 'server-error', text), code: uncertain.code, svTRID: response.svTRID, frame };
  }
  if (code >= 2000) {
    const sessionFault = SESSION_FAULT_CODES.has(code);
    return { kind: 'refused', code, text: msg, reasons: reasonsOf(response), sessionFault, ...shared };
  }
  const needed = neededData(request);
  const lacks = needed !== undefined && (response.data?.type !== needed || response.data.object !== request.object);
  const { unreadable } = response;
  const wrong = findMismatch(request, response);
  if (wrong !== undefined) return { ...unknown(clTRID, 'unreadable-answer', wrong), svTRID: response.svTRID, frame };
  // A query with a partly unreadable answer has no result. A transform counts as done, whatever else the answer contains.
  if (lacks || (needed !== undefined && unreadable !== undefined)) {
    const text = unreadable ?? `${code} without ${needed}`;
    return { ...unknown(clTRID, 'unreadable-answer', text), svTRID: response.svTRID, frame };
  }
  const unreadableParts = unreadable === undefined ? {} : { unreadable };
  return {
    kind: 'done',
    code,
    pending: code === 1001,
    text: msg,
    data: response.data as DataOf<R>,
    ...shared,
    ...unreadableParts,
  };
}

function unknown(clTRID: string, why: UnknownReason, text: string): Unknown {
  return { kind: 'unknown', clTRID, why, text };
}

/** RFC 5730 2.6: every reason of every result; the first text is often the least specific one. */
export function reasonsOf(response: EppResponse): string[] {
  return response.results.flatMap((result, at) => [
    ...(at === 0 ? [] : [result.msg]),
    ...(result.extValues ?? []).map((ext) => ext.reason).filter((reason) => reason !== ''),
  ]);
}
