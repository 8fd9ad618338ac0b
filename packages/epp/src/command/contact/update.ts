import type { Status } from '../../model/common.ts';
import type { ContactChange, ContactUpdateRequest } from '../../model/contact.ts';
import { child, compact, neededToken, optionalToken } from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { readAuthInfo, readStatuses, textElement, writeAuthInfo, writeStatuses } from '../parts.ts';
import { readDisclose, readPhone, readPostalChanges, writeDisclose, writePhone, writePostal } from './parts.ts';

export const contactUpdate: VerbCodec<ContactUpdateRequest> = {
  rfc: 'RFC 5733 3.2.5',
  writeRequest(request, ns) {
    const own = uri(ns, 'contact');
    return element(
      own,
      'update',
      undefined,
      textElement(own, 'id', request.id),
      writeStatusList(own, 'add', request.addStatuses),
      writeStatusList(own, 'rem', request.remStatuses),
      writeChange(own, request.chg),
    );
  },
  readRequest(el) {
    return compact<ContactUpdateRequest>({
      object: 'contact',
      verb: 'update',
      id: neededToken(el, el.ns, 'id'),
      addStatuses: readStatusList(el, 'add'),
      remStatuses: readStatusList(el, 'rem'),
      chg: readChange(el),
    });
  },
};

function writeStatusList(ns: string, name: 'add' | 'rem', list: readonly Status[] | undefined): XmlElement | undefined {
  return list === undefined || list.length === 0 ? undefined : element(ns, name, undefined, writeStatuses(ns, list));
}

function readStatusList(parent: XmlElement, name: 'add' | 'rem'): Status[] | undefined {
  const el = child(parent, parent.ns, name);
  return el === undefined ? undefined : readStatuses(el, el.ns);
}

function writeChange(ns: string, chg: ContactChange | undefined): XmlElement | undefined {
  if (chg === undefined) return undefined;
  return element(
    ns,
    'chg',
    undefined,
    writePostal(ns, chg.postal),
    writePhone(ns, 'voice', chg.voice),
    writePhone(ns, 'fax', chg.fax),
    textElement(ns, 'email', chg.email),
    writeAuthInfo(ns, chg.authInfo),
    writeDisclose(ns, chg.disclose),
  );
}

function readChange(parent: XmlElement): ContactChange | undefined {
  const el = child(parent, parent.ns, 'chg');
  if (el === undefined) return undefined;
  const postal = readPostalChanges(el, el.ns);
  return compact<ContactChange>({
    postal: postal.length === 0 ? undefined : postal,
    voice: readPhone(el, el.ns, 'voice'),
    fax: readPhone(el, el.ns, 'fax'),
    email: optionalToken(el, el.ns, 'email'),
    authInfo: readAuthInfo(el, el.ns),
    disclose: readDisclose(el, el.ns),
  });
}
