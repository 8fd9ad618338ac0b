import type { ContactDeleteRequest } from '../model/contact.ts';
import type { DomainDeleteRequest } from '../model/domain.ts';
import type { HostDeleteRequest } from '../model/host.ts';
import { neededToken } from '../xml/read.ts';
import { element } from '../xml/tree.ts';
import { uri, type VerbCodec } from './codec.ts';
import { textElement } from './parts.ts';

interface DeleteForm<Request> {
  readonly rfc: string;
  readonly object: 'contact' | 'domain' | 'host';
  readonly key: 'id' | 'name';
  readonly keyOf: (request: Request) => string;
  readonly request: (key: string) => Request;
}

const deleteCodec = <Request>(of: DeleteForm<Request>): VerbCodec<Request> => ({
  rfc: of.rfc,
  writeRequest(request, ns) {
    const own = uri(ns, of.object);
    return element(own, 'delete', undefined, textElement(own, of.key, of.keyOf(request)));
  },
  readRequest: (el) => of.request(neededToken(el, el.ns, of.key)),
});

export const domainDelete = deleteCodec<DomainDeleteRequest>({
  rfc: 'RFC 5731 3.2.2',
  object: 'domain',
  key: 'name',
  keyOf: ({ name }) => name,
  request: (name) => ({ object: 'domain', verb: 'delete', name }),
});

export const hostDelete = deleteCodec<HostDeleteRequest>({
  rfc: 'RFC 5732 3.2.2',
  object: 'host',
  key: 'name',
  keyOf: ({ name }) => name,
  request: (name) => ({ object: 'host', verb: 'delete', name }),
});

export const contactDelete = deleteCodec<ContactDeleteRequest>({
  rfc: 'RFC 5733 3.2.2',
  object: 'contact',
  key: 'id',
  keyOf: ({ id }) => id,
  request: (id) => ({ object: 'contact', verb: 'delete', id }),
});
