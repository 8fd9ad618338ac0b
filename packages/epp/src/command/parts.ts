import { EppReadError } from '../errors.ts';
import type { AuthInfo, AuthInfoChange, IpAddress, Period, Status } from '../model/common.ts';
import {
  attribute,
  child,
  children,
  compact,
  integer,
  neededAttribute,
  neededDate,
  neededToken,
  normalized,
  optionalDate,
  optionalToken,
  token,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

export function textElement(ns: string, name: string, text: string | undefined): XmlElement | undefined {
  return text === undefined ? undefined : element(ns, name, undefined, text);
}

export function dateElement(ns: string, name: string, moment: Date | undefined): XmlElement | undefined {
  return moment === undefined ? undefined : element(ns, name, undefined, moment.toISOString());
}

export function writePeriod(ns: string, period: Period | undefined): XmlElement | undefined {
  return period === undefined ? undefined : element(ns, 'period', { unit: period.unit }, String(period.value));
}

export function readPeriod(parent: XmlElement, ns: string): Period | undefined {
  const el = child(parent, ns, 'period');
  if (el === undefined) return undefined;
  const unit = neededAttribute(el, 'unit');
  if (unit !== 'y' && unit !== 'm') throw new EppReadError('shape', 'unit is neither y nor m', 'period');
  return { value: integer(token(el), 'period'), unit };
}

export function writeAuthInfo(ns: string, auth: AuthInfoChange | undefined): XmlElement | undefined {
  if (auth === undefined) return undefined;
  if ('unset' in auth) return element(ns, 'authInfo', undefined, element(ns, 'null'));
  return element(ns, 'authInfo', undefined, element(ns, 'pw', { roid: auth.roid }, auth.pw));
}

export function readAuthInfo(parent: XmlElement, ns: string): AuthInfo | undefined {
  const change = readAuthInfoChange(parent, ns);
  return change === undefined || 'unset' in change ? undefined : change;
}

/** An `ext` authInfo, for which no mapping exists, is read as absent. */
export function readAuthInfoChange(parent: XmlElement, ns: string): AuthInfoChange | undefined {
  const el = child(parent, ns, 'authInfo');
  if (el === undefined) return undefined;
  if (child(el, ns, 'null') !== undefined) return { unset: true };
  const pw = child(el, ns, 'pw');
  if (pw === undefined) return undefined;
  return compact<AuthInfo>({ pw: normalized(pw), roid: attribute(pw, 'roid') });
}

export function writeStatuses(ns: string, statuses: readonly Status[] | undefined, name = 'status'): XmlElement[] {
  return (statuses ?? []).map((status) =>
    element(ns, name, { s: status.value, lang: status.lang }, status.text === undefined ? undefined : status.text),
  );
}

export function readStatuses(parent: XmlElement, ns: string, name = 'status'): Status[] {
  return children(parent, ns, name).map((el) => {
    const text = normalized(el);
    return compact<Status>({
      value: neededAttribute(el, 's'),
      text: text === '' ? undefined : text,
      lang: attribute(el, 'lang'),
    });
  });
}

export function writeAddresses(ns: string, name: string, addresses: readonly IpAddress[] | undefined): XmlElement[] {
  return (addresses ?? []).map((ip) => element(ns, name, { ip: ip.version }, ip.address));
}

export function readAddresses(parent: XmlElement, ns: string, name: string): IpAddress[] {
  return children(parent, ns, name).map((el) => ({
    address: token(el),
    version: attribute(el, 'ip') === 'v6' ? 'v6' : 'v4',
  }));
}

/** What trnData of domains and contacts have in common. */
interface Transfer {
  readonly trStatus: string;
  readonly reID: string;
  readonly reDate: Date;
  readonly acID: string;
  readonly acDate: Date;
}

export const writeTransfer = (ns: string, data: Transfer): (XmlElement | undefined)[] => [
  textElement(ns, 'trStatus', data.trStatus),
  textElement(ns, 'reID', data.reID),
  dateElement(ns, 'reDate', data.reDate),
  textElement(ns, 'acID', data.acID),
  dateElement(ns, 'acDate', data.acDate),
];

export const readTransfer = (el: XmlElement): Transfer => ({
  trStatus: neededToken(el, el.ns, 'trStatus'),
  reID: neededToken(el, el.ns, 'reID'),
  reDate: neededDate(el, el.ns, 'reDate'),
  acID: neededToken(el, el.ns, 'acID'),
  acDate: neededDate(el, el.ns, 'acDate'),
});

/** The sponsor of an object, and who created and updated it. A registry may hide all but the sponsor of a domain. */
interface Provenance {
  readonly clID: string;
  readonly crID?: string | undefined;
  readonly crDate?: Date | undefined;
  readonly upID?: string | undefined;
  readonly upDate?: Date | undefined;
}

export const writeProvenance = (ns: string, data: Provenance): (XmlElement | undefined)[] => [
  textElement(ns, 'clID', data.clID),
  textElement(ns, 'crID', data.crID),
  dateElement(ns, 'crDate', data.crDate),
  textElement(ns, 'upID', data.upID),
  dateElement(ns, 'upDate', data.upDate),
];

/** Contacts and hosts. */
export const readProvenance = (el: XmlElement) => ({
  clID: neededToken(el, el.ns, 'clID'),
  crID: neededToken(el, el.ns, 'crID'),
  crDate: neededDate(el, el.ns, 'crDate'),
  upID: optionalToken(el, el.ns, 'upID'),
  upDate: optionalDate(el, el.ns, 'upDate'),
});

/** The parts of <add> and <rem> without those that are empty, which the model leaves out. */
export const nonEmpty = <T>(list: T[]): T[] | undefined => (list.length === 0 ? undefined : list);
