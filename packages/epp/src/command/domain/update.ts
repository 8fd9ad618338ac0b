import type { DomainAddRem, DomainUpdateRequest } from '../../model/domain.ts';
import { child, compact, neededToken, optionalToken } from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { nonEmpty, readAuthInfoChange, readStatuses, textElement, writeAuthInfo, writeStatuses } from '../parts.ts';
import { readContacts, readNameServers, writeContacts, writeNameServers } from './parts.ts';

export const domainUpdate: VerbCodec<DomainUpdateRequest> = {
  rfc: 'RFC 5731 3.2.5',
  writeRequest(request, ns) {
    const own = uri(ns, 'domain');
    return element(
      own,
      'update',
      undefined,
      textElement(own, 'name', request.name),
      writeAddRem(own, 'add', request.add),
      writeAddRem(own, 'rem', request.rem),
      writeChange(own, request.chg),
    );
  },
  readRequest(el) {
    return compact<DomainUpdateRequest>({
      object: 'domain',
      verb: 'update',
      name: neededToken(el, el.ns, 'name'),
      add: readAddRem(el, 'add'),
      rem: readAddRem(el, 'rem'),
      chg: readChange(el),
    });
  },
};

function writeAddRem(ns: string, name: 'add' | 'rem', part: DomainAddRem | undefined): XmlElement | undefined {
  if (part === undefined) return undefined;
  return element(
    ns,
    name,
    undefined,
    writeNameServers(ns, part.ns),
    writeContacts(ns, part.contacts),
    writeStatuses(ns, part.statuses),
  );
}

function readAddRem(parent: XmlElement, name: 'add' | 'rem'): DomainAddRem | undefined {
  const el = child(parent, parent.ns, name);
  if (el === undefined) return undefined;
  return compact<DomainAddRem>({
    ns: readNameServers(el, el.ns),
    contacts: nonEmpty(readContacts(el, el.ns)),
    statuses: nonEmpty(readStatuses(el, el.ns)),
  });
}

type Change = NonNullable<DomainUpdateRequest['chg']>;

function writeChange(ns: string, chg: Change | undefined): XmlElement | undefined {
  if (chg === undefined) return undefined;
  return element(ns, 'chg', undefined, textElement(ns, 'registrant', chg.registrant), writeAuthInfo(ns, chg.authInfo));
}

function readChange(parent: XmlElement): Change | undefined {
  const el = child(parent, parent.ns, 'chg');
  if (el === undefined) return undefined;
  return compact<Change>({
    registrant: optionalToken(el, el.ns, 'registrant'),
    authInfo: readAuthInfoChange(el, el.ns),
  });
}
