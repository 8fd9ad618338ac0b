import { EppReadError } from '../errors.ts';
import { type AnsweredVerb, readAnswerExtensions, writeAnswerExtensions } from '../extension/answer.ts';
import { unhandledValue } from '../extension/unhandledNamespaces.ts';
import type { TransactionIds } from '../model/common.ts';
import type { MessageQueue } from '../model/poll.ts';
import type { AnswerData, EppResponse, ExtValue, OtherData, ResponseSpec, ResultSpec } from '../model/response.ts';
import type { Namespaces } from '../profile.ts';
import { RESULT_TEXTS } from '../results.ts';
import {
  attribute,
  child,
  children,
  compact,
  dateTime,
  elements,
  integer,
  need,
  neededAttribute,
  normalized,
  optionalToken,
  rawText,
  token,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { writeXml } from '../xml/write.ts';
import { DATA } from './codec-table.ts';
import { dateElement, textElement } from './parts.ts';
import { prefixes } from './prefixes.ts';

/** The namespaces that the client announced at login. Data of other namespaces must not be in its usual place. */
export type AnnouncedServices = {
  readonly objURIs: readonly string[];
  readonly extURIs: readonly string[];
  /** RFC 9038 was announced on both sides: such data goes into an extValue. Otherwise it is omitted. */
  readonly unhandledNamespaces: boolean;
};

export function writeResponse(
  spec: ResponseSpec,
  ids: TransactionIds,
  ns: Namespaces,
  verb?: AnsweredVerb,
  services?: AnnouncedServices,
): string {
  const unhandled: ExtValue[] = [];
  const pass = (list: readonly XmlElement[]) => list.filter((el) => isHandled(el, services, ns, unhandled));
  const data = pass(spec.data === undefined ? [] : writeData(spec.data, ns));
  const extensions = pass(writeAnswerExtensions(spec.ext, verb, spec.data, ns));
  const results = spec.results.map((result, at) =>
    writeResult(at === 0 ? { ...result, extValues: [...(result.extValues ?? []), ...unhandled] } : result, ns),
  );
  const response = element(
    ns.epp,
    'response',
    undefined,
    results,
    spec.msgQ === undefined ? undefined : writeQueue(spec.msgQ, ns),
    data.length === 0 ? undefined : element(ns.epp, 'resData', undefined, data),
    extensions.length === 0 ? undefined : element(ns.epp, 'extension', undefined, extensions),
    element(
      ns.epp,
      'trID',
      undefined,
      textElement(ns.epp, 'clTRID', ids.clTRID),
      textElement(ns.epp, 'svTRID', ids.svTRID),
    ),
  );
  return writeXml(element(ns.epp, 'epp', undefined, response), prefixes(ns));
}

function isHandled(
  el: XmlElement,
  services: AnnouncedServices | undefined,
  ns: Namespaces,
  unhandled: ExtValue[],
): boolean {
  if (services === undefined || el.ns === ns.loginSec) return true;
  if (services.objURIs.includes(el.ns) || services.extURIs.includes(el.ns)) return true;
  if (services.unhandledNamespaces) unhandled.push(unhandledValue(el));
  return false;
}

function writeData(data: AnswerData, ns: Namespaces): readonly XmlElement[] {
  if (data.object === 'other') return data.elements;
  const codec = DATA[`${data.object}:${data.type}`];
  if (codec === undefined) throw new EppReadError('shape', 'no such answer data');
  return [codec.write(data, ns)];
}

function writeResult(result: ResultSpec, ns: Namespaces): XmlElement {
  const own = ns.epp;
  const extValues = (result.extValues ?? []).map((ext) =>
    element(
      own,
      'extValue',
      undefined,
      // The schema requires one element in a value; `undef` is the customary empty one.
      element(own, 'value', undefined, ext.value ?? element(own, 'undef')),
      element(own, 'reason', { lang: ext.lang }, ext.reason),
    ),
  );
  return element(
    own,
    'result',
    { code: String(result.code) },
    element(own, 'msg', { lang: result.lang }, result.msg ?? RESULT_TEXTS[result.code] ?? 'Unknown result'),
    (result.values ?? []).map((value) => element(own, 'value', undefined, value)),
    extValues,
  );
}

function writeQueue(queue: MessageQueue, ns: Namespaces): XmlElement {
  return element(
    ns.epp,
    'msgQ',
    { count: String(queue.count), id: queue.id },
    dateElement(ns.epp, 'qDate', queue.qDate),
    queue.text === undefined ? undefined : element(ns.epp, 'msg', { lang: queue.lang }, queue.text),
  );
}

/**
 * `goOn`: unreadable parts beside the results (queue, data, extensions) are omitted and listed in `unreadable`. The caller decides
 * whether that matters.
 */
export function readResponse(root: XmlElement, ns: Namespaces, goOn = false): EppResponse {
  const el = child(root, ns.epp, 'response');
  if (el === undefined) throw new EppReadError('shape', 'not a response', root.name);
  const [first, ...more] = children(el, ns.epp, 'result').map((result) => readResult(result, ns));
  if (first === undefined) throw new EppReadError('shape', 'result is missing', 'response');
  const queue = child(el, ns.epp, 'msgQ');
  const data = child(el, ns.epp, 'resData');
  const extension = child(el, ns.epp, 'extension');
  const ids = need(el, ns.epp, 'trID');
  let unreadable: string | undefined;
  const part = <T>(read: () => T, without: T): T => {
    try {
      return read();
    } catch (error) {
      if (!goOn || !(error instanceof EppReadError)) throw error;
      unreadable = error.message;
      return without;
    }
  };
  const read = {
    msgQ: queue && part(() => readQueue(queue, ns), bareQueue(queue)),
    data: data && part(() => readData(elements(data), ns), undefined),
    ext: part(() => readAnswerExtensions(extension === undefined ? [] : elements(extension), ns), {}),
  };
  return compact<EppResponse>({
    results: [first, ...more],
    ...read,
    clTRID: optionalToken(ids, ns.epp, 'clTRID'),
    svTRID: optionalToken(ids, ns.epp, 'svTRID') ?? '',
    about: goOn && data ? aboutOf(elements(data)[0], ns) : undefined,
    unreadable,
  });
}

function aboutOf(el: XmlElement | undefined, ns: Namespaces): string | undefined {
  if (el === undefined || ![ns.domain, ns.host, ns.contact].includes(el.ns)) return undefined;
  return optionalToken(el, el.ns, 'name') ?? optionalToken(el, el.ns, 'id') ?? '';
}

/** With its id a message can be acknowledged, even if the rest is unreadable. */
const bareQueue = (el: XmlElement): MessageQueue => ({ count: 1, id: attribute(el, 'id') ?? '' });

function readResult(el: XmlElement, ns: Namespaces): ResultSpec & { msg: string } {
  const message = need(el, ns.epp, 'msg');
  const values = children(el, ns.epp, 'value').flatMap((value) => elements(value).slice(0, 1));
  const extValues = children(el, ns.epp, 'extValue').map((ext) => readExtValue(ext, ns));
  return compact<ResultSpec & { msg: string }>({
    code: integer(neededAttribute(el, 'code'), 'code'),
    msg: normalized(message),
    lang: attribute(message, 'lang'),
    values: values.length === 0 ? undefined : values,
    extValues: extValues.length === 0 ? undefined : extValues,
  });
}

function readExtValue(el: XmlElement, ns: Namespaces): ExtValue {
  const valueElement = child(el, ns.epp, 'value');
  const value = valueElement === undefined ? undefined : elements(valueElement)[0];
  const reason = child(el, ns.epp, 'reason');
  return compact<ExtValue>({
    value: value !== undefined && value.name === 'undef' ? undefined : value,
    reason: reason === undefined ? '' : normalized(reason),
    lang: reason === undefined ? undefined : attribute(reason, 'lang'),
  });
}

function readQueue(el: XmlElement, ns: Namespaces): MessageQueue {
  const date = optionalToken(el, ns.epp, 'qDate');
  const message = child(el, ns.epp, 'msg');
  return compact<MessageQueue>({
    count: integer(neededAttribute(el, 'count'), 'count'),
    id: attribute(el, 'id') ?? '',
    qDate: date === undefined ? undefined : dateTime(date, 'qDate'),
    text: message === undefined ? undefined : token({ ...message, children: [rawText(message)] }),
    lang: message === undefined ? undefined : attribute(message, 'lang'),
  });
}

const DATA_OBJECTS = {
  domain: 'domain',
  contact: 'contact',
  host: 'host',
  lowBalancePoll: 'lowBalance',
  rgpPoll: 'rgpPoll',
  balance: 'balance',
  maintenance: 'maintenance',
} as const;

function readData(list: readonly XmlElement[], ns: Namespaces): AnswerData | undefined {
  const first = list[0];
  if (first === undefined) return undefined;
  const part = (Object.keys(DATA_OBJECTS) as (keyof typeof DATA_OBJECTS)[]).find((each) => ns[each] === first.ns);
  const codec = part === undefined ? undefined : DATA[`${DATA_OBJECTS[part]}:${first.name}`];
  if (codec === undefined) return { object: 'other', type: 'elements', elements: list } satisfies OtherData;
  return codec.read(first, ns);
}
