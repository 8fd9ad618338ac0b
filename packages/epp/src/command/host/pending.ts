import type { HostPanData } from '../../model/host.ts';
import { type DataCodec, uri } from '../codec.ts';
import { readPending, writePending } from '../pending.ts';

/** RFC 5732 3.3 */
export const hostPending: DataCodec<HostPanData> = {
  write: (data, ns) => writePending(uri(ns, 'host'), ns.epp, 'name', { ...data, subject: data.name }),
  read(el, ns) {
    const { subject, ...notice } = readPending(el, el.ns, ns.epp, 'name');
    return { object: 'host', type: 'panData', name: subject, ...notice };
  },
};
