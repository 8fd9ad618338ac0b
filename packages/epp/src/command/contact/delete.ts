import type { ContactDeleteRequest } from '../../model/contact.ts';
import { neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { textElement } from '../parts.ts';

export const contactDelete: VerbCodec<ContactDeleteRequest> = {
  rfc: 'RFC 5733 3.2.2',
  writeRequest(request, ns) {
    const own = uri(ns, 'contact');
    return element(own, 'delete', undefined, textElement(own, 'id', request.id));
  },
  readRequest(el) {
    return { object: 'contact', verb: 'delete', id: neededToken(el, el.ns, 'id') };
  },
};
