import type { TransactionIds } from '../model/common.ts';
import type { ContactPanData } from '../model/contact.ts';
import type { DomainPanData } from '../model/domain.ts';
import type { HostPanData } from '../model/host.ts';
import { boolean, compact, need, neededDate, optionalToken, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { type DataCodec, uri } from './codec.ts';
import { dateElement, textElement } from './parts.ts';

type PendingNotice = { subject: string; granted: boolean; paTRID: TransactionIds; paDate: Date };

/** panData of RFC 5731 3.3, 5732 3.3 and 5733 3.3: the same shape for all three objects. */
function writePending(ns: string, eppNs: string, key: 'name' | 'id', notice: PendingNotice): XmlElement {
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

function readPending(el: XmlElement, ns: string, eppNs: string, key: 'name' | 'id'): PendingNotice {
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

export const domainPending: DataCodec<DomainPanData> = {
  write: (data, ns) => writePending(uri(ns, 'domain'), ns.epp, 'name', { ...data, subject: data.name }),
  read(el, ns) {
    const { subject, ...notice } = readPending(el, el.ns, ns.epp, 'name');
    return { object: 'domain', type: 'panData', name: subject, ...notice };
  },
};

export const hostPending: DataCodec<HostPanData> = {
  write: (data, ns) => writePending(uri(ns, 'host'), ns.epp, 'name', { ...data, subject: data.name }),
  read(el, ns) {
    const { subject, ...notice } = readPending(el, el.ns, ns.epp, 'name');
    return { object: 'host', type: 'panData', name: subject, ...notice };
  },
};

export const contactPending: DataCodec<ContactPanData> = {
  write: (data, ns) => writePending(uri(ns, 'contact'), ns.epp, 'id', { ...data, subject: data.id }),
  read(el, ns) {
    const { subject, ...notice } = readPending(el, el.ns, ns.epp, 'id');
    return { object: 'contact', type: 'panData', id: subject, ...notice };
  },
};
