import type { HostAddRem, HostUpdateRequest } from '../../model/host.ts';
import { child, compact, neededToken } from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { nonEmpty, readAddresses, readStatuses, textElement, writeAddresses, writeStatuses } from '../parts.ts';

export const hostUpdate: VerbCodec<HostUpdateRequest> = {
  rfc: 'RFC 5732 3.2.5',
  writeRequest(request, ns) {
    const own = uri(ns, 'host');
    return element(
      own,
      'update',
      undefined,
      textElement(own, 'name', request.name),
      writeAddRem(own, 'add', request.add),
      writeAddRem(own, 'rem', request.rem),
      request.newName === undefined
        ? undefined
        : element(own, 'chg', undefined, textElement(own, 'name', request.newName)),
    );
  },
  readRequest(el) {
    const chg = child(el, el.ns, 'chg');
    return compact<HostUpdateRequest>({
      object: 'host',
      verb: 'update',
      name: neededToken(el, el.ns, 'name'),
      add: readAddRem(el, 'add'),
      rem: readAddRem(el, 'rem'),
      newName: chg === undefined ? undefined : neededToken(chg, el.ns, 'name'),
    });
  },
};

function writeAddRem(ns: string, name: 'add' | 'rem', part: HostAddRem | undefined): XmlElement | undefined {
  if (part === undefined) return undefined;
  return element(ns, name, undefined, writeAddresses(ns, 'addr', part.addresses), writeStatuses(ns, part.statuses));
}

function readAddRem(parent: XmlElement, name: 'add' | 'rem'): HostAddRem | undefined {
  const el = child(parent, parent.ns, name);
  if (el === undefined) return undefined;
  return compact<HostAddRem>({
    addresses: nonEmpty(readAddresses(el, el.ns, 'addr')),
    statuses: nonEmpty(readStatuses(el, el.ns)),
  });
}
