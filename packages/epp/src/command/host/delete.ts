import type { HostDeleteRequest } from '../../model/host.ts';
import { neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { textElement } from '../parts.ts';

export const hostDelete: VerbCodec<HostDeleteRequest> = {
  rfc: 'RFC 5732 3.2.2',
  writeRequest(request, ns) {
    const own = uri(ns, 'host');
    return element(own, 'delete', undefined, textElement(own, 'name', request.name));
  },
  readRequest(el) {
    return { object: 'host', verb: 'delete', name: neededToken(el, el.ns, 'name') };
  },
};
