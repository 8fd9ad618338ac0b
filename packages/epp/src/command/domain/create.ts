import { EppReadError } from '../../errors.ts';
import type { DomainCreateRequest, DomainCreData } from '../../model/domain.ts';
import { compact, neededDate, neededToken, optionalDate, optionalToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { dateElement, readAuthInfo, readPeriod, textElement, writeAuthInfo, writePeriod } from '../parts.ts';
import { readContacts, readNameServers, writeContacts, writeNameServers } from './parts.ts';

export const domainCreate: VerbCodec<DomainCreateRequest, DomainCreData> = {
  rfc: 'RFC 5731 3.2.1',
  writeRequest(request, ns) {
    const own = uri(ns, 'domain');
    return element(
      own,
      'create',
      undefined,
      textElement(own, 'name', request.name),
      writePeriod(own, request.period),
      writeNameServers(own, request.ns),
      textElement(own, 'registrant', request.registrant),
      writeContacts(own, request.contacts),
      writeAuthInfo(own, request.authInfo),
    );
  },
  readRequest(el) {
    const authInfo = readAuthInfo(el, el.ns);
    if (authInfo === undefined) throw new EppReadError('shape', 'authInfo/pw is missing', 'create');
    const contacts = readContacts(el, el.ns);
    return compact<DomainCreateRequest>({
      object: 'domain',
      verb: 'create',
      name: neededToken(el, el.ns, 'name'),
      period: readPeriod(el, el.ns),
      ns: readNameServers(el, el.ns),
      registrant: optionalToken(el, el.ns, 'registrant'),
      contacts: contacts.length === 0 ? undefined : contacts,
      authInfo,
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'domain');
      return element(
        own,
        'creData',
        undefined,
        textElement(own, 'name', data.name),
        dateElement(own, 'crDate', data.crDate),
        dateElement(own, 'exDate', data.exDate),
      );
    },
    read(el) {
      return compact<DomainCreData>({
        object: 'domain',
        type: 'creData',
        name: neededToken(el, el.ns, 'name'),
        crDate: neededDate(el, el.ns, 'crDate'),
        exDate: optionalDate(el, el.ns, 'exDate'),
      });
    },
  },
};
