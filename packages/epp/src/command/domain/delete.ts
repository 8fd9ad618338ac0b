import type { DomainDeleteRequest } from '../../model/domain.ts';
import { neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { textElement } from '../parts.ts';

export const domainDelete: VerbCodec<DomainDeleteRequest> = {
  rfc: 'RFC 5731 3.2.2',
  writeRequest(request, ns) {
    const own = uri(ns, 'domain');
    return element(own, 'delete', undefined, textElement(own, 'name', request.name));
  },
  readRequest(el) {
    return { object: 'domain', verb: 'delete', name: neededToken(el, el.ns, 'name') };
  },
};
