import type { HostCreateRequest, HostCreData } from '../../model/host.ts';
import { compact, neededDate, neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { dateElement, readAddresses, textElement, writeAddresses } from '../parts.ts';

export const hostCreate: VerbCodec<HostCreateRequest, HostCreData> = {
  rfc: 'RFC 5732 3.2.1',
  writeRequest(request, ns) {
    const own = uri(ns, 'host');
    return element(
      own,
      'create',
      undefined,
      textElement(own, 'name', request.name),
      writeAddresses(own, 'addr', request.addresses),
    );
  },
  readRequest(el) {
    const addresses = readAddresses(el, el.ns, 'addr');
    return compact<HostCreateRequest>({
      object: 'host',
      verb: 'create',
      name: neededToken(el, el.ns, 'name'),
      addresses: addresses.length === 0 ? undefined : addresses,
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'host');
      const name = textElement(own, 'name', data.name);
      return element(own, 'creData', undefined, name, dateElement(own, 'crDate', data.crDate));
    },
    read(el) {
      const name = neededToken(el, el.ns, 'name');
      return { object: 'host', type: 'creData', name, crDate: neededDate(el, el.ns, 'crDate') };
    },
  },
};
