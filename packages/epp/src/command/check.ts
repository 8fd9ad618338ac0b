import type { CheckItem } from '../model/common.ts';
import type { ContactCheckRequest, ContactChkData } from '../model/contact.ts';
import type { DomainCheckRequest, DomainChkData } from '../model/domain.ts';
import type { HostCheckRequest, HostChkData } from '../model/host.ts';
import { attribute, boolean, child, children, compact, need, token } from '../xml/read.ts';
import { element } from '../xml/tree.ts';
import { uri, type VerbCodec } from './codec.ts';

interface CheckForm<Request, Data> {
  readonly rfc: string;
  readonly object: 'contact' | 'domain' | 'host';
  /** The element of each object. */
  readonly key: 'id' | 'name';
  readonly keysOf: (request: Request) => readonly string[];
  readonly request: (keys: string[]) => Request;
  readonly data: (items: CheckItem[]) => Data;
}

function checkCodec<Request, Data extends { readonly items: readonly CheckItem[] }>(
  of: CheckForm<Request, Data>,
): VerbCodec<Request, Data> {
  return {
    rfc: of.rfc,
    writeRequest(request, ns) {
      const own = uri(ns, of.object);
      const keys = of.keysOf(request).map((key) => element(own, of.key, undefined, key));
      return element(own, 'check', undefined, keys);
    },
    readRequest: (el) => of.request(children(el, el.ns, of.key).map(token)),
    answer: {
      write({ items }, ns) {
        const own = uri(ns, of.object);
        const rows = items.map(({ id, available, reason, lang }) =>
          element(
            own,
            'cd',
            undefined,
            element(own, of.key, { avail: available ? '1' : '0' }, id),
            reason === undefined ? undefined : element(own, 'reason', { lang }, reason),
          ),
        );
        return element(own, 'chkData', undefined, rows);
      },
      read(el) {
        const items = children(el, el.ns, 'cd').map((cd) => {
          const subject = need(cd, el.ns, of.key);
          const reason = child(cd, el.ns, 'reason');
          return compact<CheckItem>({
            id: token(subject),
            available: boolean(subject.attrs.avail, 'avail'),
            reason: reason === undefined ? undefined : token(reason),
            lang: reason === undefined ? undefined : attribute(reason, 'lang'),
          });
        });
        return of.data(items);
      },
    },
  };
}

export const domainCheck = checkCodec<DomainCheckRequest, DomainChkData>({
  rfc: 'RFC 5731 3.1.1',
  object: 'domain',
  key: 'name',
  keysOf: ({ names }) => names,
  request: (names) => ({ object: 'domain', verb: 'check', names }),
  data: (items) => ({ object: 'domain', type: 'chkData', items }),
});

export const hostCheck = checkCodec<HostCheckRequest, HostChkData>({
  rfc: 'RFC 5732 3.1.1',
  object: 'host',
  key: 'name',
  keysOf: ({ names }) => names,
  request: (names) => ({ object: 'host', verb: 'check', names }),
  data: (items) => ({ object: 'host', type: 'chkData', items }),
});

export const contactCheck = checkCodec<ContactCheckRequest, ContactChkData>({
  rfc: 'RFC 5733 3.1.1',
  object: 'contact',
  key: 'id',
  keysOf: ({ ids }) => ids,
  request: (ids) => ({ object: 'contact', verb: 'check', ids }),
  data: (items) => ({ object: 'contact', type: 'chkData', items }),
});
