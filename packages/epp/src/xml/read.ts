import { EppReadError } from '../errors.ts';
import { isElement, type XmlElement } from './tree.ts';

/** First child of that name, if any. Elements of other namespaces are skipped and never an error. */
export function child(parent: XmlElement, ns: string, name: string): XmlElement | undefined {
  for (const node of parent.children) if (isElement(node) && node.name === name && node.ns === ns) return node;
  return undefined;
}

export function children(parent: XmlElement, ns: string, name: string): XmlElement[] {
  return parent.children.filter((node): node is XmlElement => isElement(node) && node.name === name && node.ns === ns);
}

export function elements(parent: XmlElement): XmlElement[] {
  return parent.children.filter(isElement);
}

export function need(parent: XmlElement, ns: string, name: string): XmlElement {
  const found = child(parent, ns, name);
  if (found === undefined) throw new EppReadError('shape', `${name} is missing`, parent.name);
  return found;
}

/** All text below the element, unchanged. */
export function rawText(el: XmlElement): string {
  const [only] = el.children;
  if (typeof only === 'string' && el.children.length === 1) return only;
  let text = '';
  for (const node of el.children) text += isElement(node) ? rawText(node) : node;
  return text;
}

/** xsd:token: runs of whitespace become one space, none at the ends. */
export function token(el: XmlElement): string {
  return collapsed(rawText(el));
}

/** Most values are already in this form. */
function collapsed(text: string): string {
  return /[\t\r\n]|^ | $| {2}/.test(text) ? text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '') : text;
}

/** xsd:normalizedString: tabs and line ends become spaces. */
export function normalized(el: XmlElement): string {
  return rawText(el).replace(/[\t\r\n]/g, ' ');
}

export function optionalToken(parent: XmlElement, ns: string, name: string): string | undefined {
  const found = child(parent, ns, name);
  return found === undefined ? undefined : token(found);
}

export function neededToken(parent: XmlElement, ns: string, name: string): string {
  return token(need(parent, ns, name));
}

export function integer(text: string, at: string): number {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,15}$/.test(trimmed)) throw new EppReadError('shape', 'not a whole number', at);
  return Number(trimmed);
}

export function neededInteger(parent: XmlElement, ns: string, name: string): number {
  return integer(neededToken(parent, ns, name), name);
}

/** xsd:boolean is one of true, false, 1, 0. */
export function boolean(text: string | undefined, at: string): boolean {
  const trimmed = text?.trim();
  if (trimmed === '1' || trimmed === 'true') return true;
  if (trimmed === '0' || trimmed === 'false') return false;
  throw new EppReadError('shape', 'not a boolean', at);
}

const DATE_TIME = /^(-?\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/**
 * RFC 5730 2.4: times are UTC, also without a zone. Some registries write only the day, a blank for the T, the zone in words, or the
 * zone without its colon.
 */
export function dateTime(text: string, at: string): Date {
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = DATE_TIME.exec(text.trim()) ?? [];
  const offset = /^[+-]/.test(zone) ? zone.replace(/:?(\d\d)$/, ':$1') : 'Z';
  const moment = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset}`);
  if (Number.isNaN(moment)) throw new EppReadError('shape', 'not a date and time', at);
  return new Date(moment);
}

export function neededDate(parent: XmlElement, ns: string, name: string): Date {
  return dateTime(neededToken(parent, ns, name), name);
}

export function optionalDate(parent: XmlElement, ns: string, name: string): Date | undefined {
  const found = optionalToken(parent, ns, name);
  return found === undefined ? undefined : dateTime(found, name);
}

export function attribute(el: XmlElement, name: string): string | undefined {
  const value = el.attrs[name];
  return value === undefined ? undefined : collapsed(value);
}

export function neededAttribute(el: XmlElement, name: string): string {
  const found = attribute(el, name);
  if (found === undefined) throw new EppReadError('shape', `attribute ${name} is missing`, el.name);
  return found;
}

/** Drops undefined values, so that optional fields are absent. */
export function compact<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const out: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) out[key] = fields[key] as T[typeof key];
  return out as T;
}
