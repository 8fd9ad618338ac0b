import { EppReadError } from '../errors.ts';
import type { AuthInfo, AuthInfoChange, CheckItem, IpAddress, Period, Status } from '../model/common.ts';
import {
  attribute,
  boolean,
  child,
  children,
  compact,
  integer,
  need,
  neededAttribute,
  normalized,
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

/** chkData has the same shape for every object; only the name of the key differs. */
export function writeCheckItems(ns: string, key: 'name' | 'id', items: readonly CheckItem[]): XmlElement {
  return element(
    ns,
    'chkData',
    undefined,
    items.map((item) =>
      element(
        ns,
        'cd',
        undefined,
        element(ns, key, { avail: item.available ? '1' : '0' }, item.id),
        item.reason === undefined ? undefined : element(ns, 'reason', { lang: item.lang }, item.reason),
      ),
    ),
  );
}

export function readCheckItems(el: XmlElement, ns: string, key: 'name' | 'id'): CheckItem[] {
  return children(el, ns, 'cd').map((cd) => {
    const subject = need(cd, ns, key);
    const reason = child(cd, ns, 'reason');
    return compact<CheckItem>({
      id: token(subject),
      available: boolean(subject.attrs.avail, 'avail'),
      reason: reason === undefined ? undefined : token(reason),
      lang: reason === undefined ? undefined : attribute(reason, 'lang'),
    });
  });
}
