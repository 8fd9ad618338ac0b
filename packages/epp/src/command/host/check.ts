import type { HostCheckRequest, HostChkData } from '../../model/host.ts';
import { children, token } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { readCheckItems, writeCheckItems } from '../parts.ts';

export const hostCheck: VerbCodec<HostCheckRequest, HostChkData> = {
  rfc: 'RFC 5732 3.1.1',
  writeRequest(request, ns) {
    const own = uri(ns, 'host');
    return element(
      own,
      'check',
      undefined,
      request.names.map((name) => element(own, 'name', undefined, name)),
    );
  },
  readRequest(el) {
    return { object: 'host', verb: 'check', names: children(el, el.ns, 'name').map(token) };
  },
  answer: {
    write: (data, ns) => writeCheckItems(uri(ns, 'host'), 'name', data.items),
    read: (el) => ({ object: 'host', type: 'chkData', items: readCheckItems(el, el.ns, 'name') }),
  },
};
