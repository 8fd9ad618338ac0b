import type { KeysysAnswer, KeysysFields } from '../model/extension.ts';
import type { EppRequest } from '../model/request.ts';
import { child, elements, rawText, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** CentralNic Reseller requires the elements in alphabetical order, without regard to case. */
const keysysOrder = (a: string, b: string): number => {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  if (first !== second) return first < second ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
};

const writeFields = (ns: string, fields: KeysysFields): XmlElement[] =>
  Object.keys(fields)
    .sort(keysysOrder)
    .map((name) => element(ns, name, undefined, fields[name]));

/** Of an element that is there twice the first counts, so that the rest of an answer stays readable. */
const readFields = (el: XmlElement | undefined): KeysysFields =>
  Object.fromEntries(
    elements(el ?? NONE)
      .reverse()
      .map((each) => [each.name, token(each)]),
  );
const NONE = element('', 'none');

/** keysys-1.0: the element of the verb, in it the object, in it the fields. */
export function writeKeysys(ns: string, fields: KeysysFields, { object, verb }: EppRequest): XmlElement {
  return element(ns, verb, undefined, element(ns, object, undefined, writeFields(ns, fields)));
}

/** Undefined if it is about another object, or its elements are not in order: then the element is kept whole. */
export function readKeysys(el: XmlElement): KeysysFields | undefined {
  const [object, ...more] = elements(el);
  if (object === undefined || more.length > 0 || !OBJECTS.includes(object.name)) return undefined;
  const names = elements(object).map(({ name }) => name);
  if (names.join() !== [...new Set(names)].sort(keysysOrder).join()) return undefined;
  return readFields(object);
}

const OBJECTS: readonly string[] = ['domain', 'contact'] satisfies EppRequest['object'][];
const DATA: readonly string[] = ['infData', 'contactInfData'] satisfies KeysysAnswer['type'][];

export function writeKeysysAnswer(ns: string, eppNs: string, answer: KeysysAnswer): XmlElement {
  if (answer.type !== 'poll')
    return element(ns, 'resData', undefined, element(ns, answer.type, undefined, writeFields(ns, answer.fields)));
  // Its fields have no prefix, so they are in the namespace of the frame.
  const data = element(ns, 'data', undefined, writeFields(eppNs, answer.fields));
  const info = answer.info === undefined ? undefined : element(ns, 'info', undefined, answer.info);
  return element(ns, 'poll', undefined, data, info);
}

/** Undefined: an element in another form. */
export function readKeysysAnswer(el: XmlElement): KeysysAnswer | undefined {
  if (el.name === 'poll') {
    const info = child(el, el.ns, 'info');
    const text = info === undefined ? {} : { info: rawText(info) };
    return { type: 'poll', fields: readFields(child(el, el.ns, 'data')), ...text };
  }
  const [data, ...more] = elements(el);
  if (el.name !== 'resData' || data === undefined || more.length > 0 || !DATA.includes(data.name)) return undefined;
  return { type: data.name as 'infData' | 'contactInfData', fields: readFields(data) };
}
