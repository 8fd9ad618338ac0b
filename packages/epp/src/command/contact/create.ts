import { EppReadError } from '../../errors.ts';
import type { ContactCreateRequest, ContactCreData } from '../../model/contact.ts';
import { compact, neededDate, neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { dateElement, readAuthInfo, textElement, writeAuthInfo } from '../parts.ts';
import { readDisclose, readPhone, readPostal, writeDisclose, writePhone, writePostal } from './parts.ts';

export const contactCreate: VerbCodec<ContactCreateRequest, ContactCreData> = {
  rfc: 'RFC 5733 3.2.1',
  writeRequest(request, ns) {
    const own = uri(ns, 'contact');
    return element(
      own,
      'create',
      undefined,
      textElement(own, 'id', request.id),
      writePostal(own, request.postal),
      writePhone(own, 'voice', request.voice),
      writePhone(own, 'fax', request.fax),
      textElement(own, 'email', request.email),
      writeAuthInfo(own, request.authInfo),
      writeDisclose(own, request.disclose),
    );
  },
  readRequest(el) {
    const authInfo = readAuthInfo(el, el.ns);
    if (authInfo === undefined) throw new EppReadError('shape', 'authInfo/pw is missing', 'create');
    return compact<ContactCreateRequest>({
      object: 'contact',
      verb: 'create',
      id: neededToken(el, el.ns, 'id'),
      postal: readPostal(el, el.ns),
      voice: readPhone(el, el.ns, 'voice'),
      fax: readPhone(el, el.ns, 'fax'),
      email: neededToken(el, el.ns, 'email'),
      authInfo,
      disclose: readDisclose(el, el.ns),
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'contact');
      const id = textElement(own, 'id', data.id);
      return element(own, 'creData', undefined, id, dateElement(own, 'crDate', data.crDate));
    },
    read(el) {
      const id = neededToken(el, el.ns, 'id');
      return { object: 'contact', type: 'creData', id, crDate: neededDate(el, el.ns, 'crDate') };
    },
  },
};
