import type { ContactTransferRequest, ContactTrnData } from '../../model/contact.ts';
import { compact, neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { readAuthInfo, readTransfer, textElement, writeAuthInfo, writeTransfer } from '../parts.ts';

/** The operation is an attribute of the enclosing <transfer>, so the envelope writes and reads it. */
export const contactTransfer: VerbCodec<ContactTransferRequest, ContactTrnData> = {
  rfc: 'RFC 5733 3.1.3 and 3.2.4',
  writeRequest(request, ns) {
    const own = uri(ns, 'contact');
    const id = textElement(own, 'id', request.id);
    return element(own, 'transfer', undefined, id, writeAuthInfo(own, request.authInfo));
  },
  readRequest(el) {
    return compact<ContactTransferRequest>({
      object: 'contact',
      verb: 'transfer',
      op: 'query',
      id: neededToken(el, el.ns, 'id'),
      authInfo: readAuthInfo(el, el.ns),
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'contact');
      return element(own, 'trnData', undefined, textElement(own, 'id', data.id), ...writeTransfer(own, data));
    },
    read(el) {
      return {
        object: 'contact',
        type: 'trnData',
        id: neededToken(el, el.ns, 'id'),
        ...readTransfer(el),
      };
    },
  },
};
