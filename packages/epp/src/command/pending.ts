import type { TransactionIds } from '../model/common.ts';
import { boolean, compact, need, neededDate, optionalToken, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { dateElement, textElement } from './parts.ts';

type PendingNotice = { subject: string; granted: boolean; paTRID: TransactionIds; paDate: Date };

/** panData of RFC 5731 3.3, 5732 3.3 and 5733 3.3: the same shape for all three objects. */
export function writePending(ns: string, eppNs: string, key: 'name' | 'id', notice: PendingNotice): XmlElement {
  return element(
    ns,
    'panData',
    undefined,
    element(ns, key, { paResult: notice.granted ? '1' : '0' }, notice.subject),
    element(
      ns,
      'paTRID',
      undefined,
      textElement(eppNs, 'clTRID', notice.paTRID.clTRID),
      textElement(eppNs, 'svTRID', notice.paTRID.svTRID),
    ),
    dateElement(ns, 'paDate', notice.paDate),
  );
}

export function readPending(el: XmlElement, ns: string, eppNs: string, key: 'name' | 'id'): PendingNotice {
  const subject = need(el, ns, key);
  const ids = need(el, ns, 'paTRID');
  return {
    subject: token(subject),
    granted: boolean(subject.attrs.paResult, 'paResult'),
    paTRID: compact<TransactionIds>({
      clTRID: optionalToken(ids, eppNs, 'clTRID'),
      svTRID: token(need(ids, eppNs, 'svTRID')),
    }),
    paDate: neededDate(el, ns, 'paDate'),
  };
}
