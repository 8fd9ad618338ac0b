import type { HostInfData, HostInfoRequest } from '../../model/host.ts';
import { compact, neededDate, neededToken, optionalDate, optionalToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { dateElement, readAddresses, readStatuses, textElement, writeAddresses, writeStatuses } from '../parts.ts';

export const hostInfo: VerbCodec<HostInfoRequest, HostInfData> = {
  rfc: 'RFC 5732 3.1.2',
  writeRequest(request, ns) {
    const own = uri(ns, 'host');
    return element(own, 'info', undefined, textElement(own, 'name', request.name));
  },
  readRequest(el) {
    return { object: 'host', verb: 'info', name: neededToken(el, el.ns, 'name') };
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'host');
      return element(
        own,
        'infData',
        undefined,
        textElement(own, 'name', data.name),
        textElement(own, 'roid', data.roid),
        writeStatuses(own, data.statuses),
        writeAddresses(own, 'addr', data.addresses),
        textElement(own, 'clID', data.clID),
        textElement(own, 'crID', data.crID),
        dateElement(own, 'crDate', data.crDate),
        textElement(own, 'upID', data.upID),
        dateElement(own, 'upDate', data.upDate),
        dateElement(own, 'trDate', data.trDate),
      );
    },
    read(el) {
      const own = el.ns;
      return compact<HostInfData>({
        object: 'host',
        type: 'infData',
        name: neededToken(el, own, 'name'),
        roid: neededToken(el, own, 'roid'),
        statuses: readStatuses(el, own),
        addresses: readAddresses(el, own, 'addr'),
        clID: neededToken(el, own, 'clID'),
        crID: neededToken(el, own, 'crID'),
        crDate: neededDate(el, own, 'crDate'),
        upID: optionalToken(el, own, 'upID'),
        upDate: optionalDate(el, own, 'upDate'),
        trDate: optionalDate(el, own, 'trDate'),
      });
    },
  },
};
