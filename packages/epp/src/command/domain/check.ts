import type { DomainCheckRequest, DomainChkData } from '../../model/domain.ts';
import { children, token } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { readCheckItems, writeCheckItems } from '../parts.ts';

export const domainCheck: VerbCodec<DomainCheckRequest, DomainChkData> = {
  rfc: 'RFC 5731 3.1.1',
  writeRequest(request, ns) {
    const own = uri(ns, 'domain');
    return element(
      own,
      'check',
      undefined,
      request.names.map((name) => element(own, 'name', undefined, name)),
    );
  },
  readRequest(el) {
    return { object: 'domain', verb: 'check', names: children(el, el.ns, 'name').map(token) };
  },
  answer: {
    write: (data, ns) => writeCheckItems(uri(ns, 'domain'), 'name', data.items),
    read: (el) => ({ object: 'domain', type: 'chkData', items: readCheckItems(el, el.ns, 'name') }),
  },
};
