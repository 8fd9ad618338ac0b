import type { HostInfData, HostInfoRequest } from '../../model/host.ts';
import { compact, neededToken, optionalDate } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import {
  dateElement,
  readAddresses,
  readProvenance,
  readStatuses,
  textElement,
  writeAddresses,
  writeProvenance,
  writeStatuses,
} from '../parts.ts';

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
        ...writeProvenance(own, data),
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
        ...readProvenance(el),
        trDate: optionalDate(el, own, 'trDate'),
      });
    },
  },
};
