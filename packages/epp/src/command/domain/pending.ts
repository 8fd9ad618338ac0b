import type { DomainPanData } from '../../model/domain.ts';
import { type DataCodec, uri } from '../codec.ts';
import { readPending, writePending } from '../pending.ts';

/** RFC 5731 3.3 */
export const domainPending: DataCodec<DomainPanData> = {
  write: (data, ns) => writePending(uri(ns, 'domain'), ns.epp, 'name', { ...data, subject: data.name }),
  read(el, ns) {
    const { subject, ...notice } = readPending(el, el.ns, ns.epp, 'name');
    return { object: 'domain', type: 'panData', name: subject, ...notice };
  },
};
