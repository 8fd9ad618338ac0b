import { EppReadError } from '../errors.ts';
import type { SyncExpiry } from '../model/extension.ts';
import { neededToken } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Verisign sync-1.0: moves the expiry of a domain to this day of the year. */
export function writeSync(ns: string, { month, day }: SyncExpiry): XmlElement {
  return element(ns, 'update', undefined, element(ns, 'expMonthDay', undefined, `--${two(month)}-${two(day)}`));
}

export function readSync(el: XmlElement): SyncExpiry {
  const [, month, day] = /^--(\d\d)-(\d\d)/.exec(neededToken(el, el.ns, 'expMonthDay')) ?? [];
  if (month === undefined || day === undefined) throw new EppReadError('shape', 'not a day of the year', 'expMonthDay');
  return { month: Number(month), day: Number(day) };
}
