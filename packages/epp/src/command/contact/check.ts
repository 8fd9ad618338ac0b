import type { ContactCheckRequest, ContactChkData } from '../../model/contact.ts';
import { children, token } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { readCheckItems, writeCheckItems } from '../parts.ts';

export const contactCheck: VerbCodec<ContactCheckRequest, ContactChkData> = {
  rfc: 'RFC 5733 3.1.1',
  writeRequest(request, ns) {
    const own = uri(ns, 'contact');
    return element(
      own,
      'check',
      undefined,
      request.ids.map((id) => element(own, 'id', undefined, id)),
    );
  },
  readRequest(el) {
    return { object: 'contact', verb: 'check', ids: children(el, el.ns, 'id').map(token) };
  },
  answer: {
    write: (data, ns) => writeCheckItems(uri(ns, 'contact'), 'id', data.items),
    read: (el) => ({ object: 'contact', type: 'chkData', items: readCheckItems(el, el.ns, 'id') }),
  },
};
