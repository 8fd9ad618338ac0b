import type { ContactPanData } from '../../model/contact.ts';
import { type DataCodec, uri } from '../codec.ts';
import { readPending, writePending } from '../pending.ts';

/** RFC 5733 3.3 */
export const contactPending: DataCodec<ContactPanData> = {
  write: (data, ns) => writePending(uri(ns, 'contact'), ns.epp, 'id', { ...data, subject: data.id }),
  read(el, ns) {
    const { subject, ...notice } = readPending(el, el.ns, ns.epp, 'id');
    return { object: 'contact', type: 'panData', id: subject, ...notice };
  },
};
