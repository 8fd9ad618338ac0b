import type { DomainInfData, DomainInfoRequest } from '../../model/domain.ts';
import { attribute, children, compact, need, neededToken, optionalDate, optionalToken, token } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import {
  dateElement,
  readAuthInfo,
  readStatuses,
  textElement,
  writeAuthInfo,
  writeProvenance,
  writeStatuses,
} from '../parts.ts';
import { readContacts, readNameServers, writeContacts, writeNameServers } from './parts.ts';

type HostsWanted = NonNullable<DomainInfoRequest['hosts']>;

export const domainInfo: VerbCodec<DomainInfoRequest, DomainInfData> = {
  rfc: 'RFC 5731 3.1.2',
  writeRequest(request, ns) {
    const own = uri(ns, 'domain');
    const name = element(own, 'name', { hosts: request.hosts }, request.name);
    return element(own, 'info', undefined, name, writeAuthInfo(own, request.authInfo));
  },
  readRequest(el) {
    const name = need(el, el.ns, 'name');
    return compact<DomainInfoRequest>({
      object: 'domain',
      verb: 'info',
      name: token(name),
      hosts: attribute(name, 'hosts') as HostsWanted | undefined,
      authInfo: readAuthInfo(el, el.ns),
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'domain');
      return element(
        own,
        'infData',
        undefined,
        textElement(own, 'name', data.name),
        textElement(own, 'roid', data.roid),
        writeStatuses(own, data.statuses),
        textElement(own, 'registrant', data.registrant),
        writeContacts(own, data.contacts),
        writeNameServers(own, data.ns),
        data.hosts.map((host) => element(own, 'host', undefined, host)),
        ...writeProvenance(own, data),
        dateElement(own, 'exDate', data.exDate),
        dateElement(own, 'trDate', data.trDate),
        writeAuthInfo(own, data.authInfo),
      );
    },
    read(el) {
      const own = el.ns;
      return compact<DomainInfData>({
        object: 'domain',
        type: 'infData',
        name: neededToken(el, own, 'name'),
        roid: neededToken(el, own, 'roid'),
        statuses: readStatuses(el, own),
        registrant: optionalToken(el, own, 'registrant'),
        contacts: readContacts(el, own),
        ns: readNameServers(el, own),
        hosts: children(el, own, 'host').map(token),
        clID: neededToken(el, own, 'clID'),
        crID: optionalToken(el, own, 'crID'),
        crDate: optionalDate(el, own, 'crDate'),
        upID: optionalToken(el, own, 'upID'),
        upDate: optionalDate(el, own, 'upDate'),
        exDate: optionalDate(el, own, 'exDate'),
        trDate: optionalDate(el, own, 'trDate'),
        authInfo: readAuthInfo(el, own),
      });
    },
  },
};
