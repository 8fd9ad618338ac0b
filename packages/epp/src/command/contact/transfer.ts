import type { ContactTransferRequest, ContactTrnData } from '../../model/contact.ts';
import { compact, neededDate, neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { dateElement, readAuthInfo, textElement, writeAuthInfo } from '../parts.ts';

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
      return element(
        own,
        'trnData',
        undefined,
        textElement(own, 'id', data.id),
        textElement(own, 'trStatus', data.trStatus),
        textElement(own, 'reID', data.reID),
        dateElement(own, 'reDate', data.reDate),
        textElement(own, 'acID', data.acID),
        dateElement(own, 'acDate', data.acDate),
      );
    },
    read(el) {
      return {
        object: 'contact',
        type: 'trnData',
        id: neededToken(el, el.ns, 'id'),
        trStatus: neededToken(el, el.ns, 'trStatus'),
        reID: neededToken(el, el.ns, 'reID'),
        reDate: neededDate(el, el.ns, 'reDate'),
        acID: neededToken(el, el.ns, 'acID'),
        acDate: neededDate(el, el.ns, 'acDate'),
      };
    },
  },
};
