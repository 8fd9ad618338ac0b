import type { ContactInfData, ContactInfoRequest } from '../../model/contact.ts';
import { compact, neededToken, optionalDate } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import {
  dateElement,
  readAuthInfo,
  readProvenance,
  readStatuses,
  textElement,
  writeAuthInfo,
  writeProvenance,
  writeStatuses,
} from '../parts.ts';
import { readDisclose, readPhone, readPostal, writeDisclose, writePhone, writePostal } from './parts.ts';

export const contactInfo: VerbCodec<ContactInfoRequest, ContactInfData> = {
  rfc: 'RFC 5733 3.1.2',
  writeRequest(request, ns) {
    const own = uri(ns, 'contact');
    return element(own, 'info', undefined, textElement(own, 'id', request.id), writeAuthInfo(own, request.authInfo));
  },
  readRequest(el) {
    return compact<ContactInfoRequest>({
      object: 'contact',
      verb: 'info',
      id: neededToken(el, el.ns, 'id'),
      authInfo: readAuthInfo(el, el.ns),
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'contact');
      return element(
        own,
        'infData',
        undefined,
        textElement(own, 'id', data.id),
        textElement(own, 'roid', data.roid),
        writeStatuses(own, data.statuses),
        writePostal(own, data.postal),
        writePhone(own, 'voice', data.voice),
        writePhone(own, 'fax', data.fax),
        textElement(own, 'email', data.email),
        ...writeProvenance(own, data),
        dateElement(own, 'trDate', data.trDate),
        writeAuthInfo(own, data.authInfo),
        writeDisclose(own, data.disclose),
      );
    },
    read(el) {
      const own = el.ns;
      return compact<ContactInfData>({
        object: 'contact',
        type: 'infData',
        id: neededToken(el, own, 'id'),
        roid: neededToken(el, own, 'roid'),
        statuses: readStatuses(el, own),
        postal: readPostal(el, own),
        voice: readPhone(el, own, 'voice'),
        fax: readPhone(el, own, 'fax'),
        email: neededToken(el, own, 'email'),
        ...readProvenance(el),
        trDate: optionalDate(el, own, 'trDate'),
        authInfo: readAuthInfo(el, own),
        disclose: readDisclose(el, own),
      });
    },
  },
};
