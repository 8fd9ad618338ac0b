import type { DomainRenData, DomainRenewRequest } from '../../model/domain.ts';
import { compact, neededToken, optionalDate } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { dateElement, readPeriod, textElement, writePeriod } from '../parts.ts';

export const domainRenew: VerbCodec<DomainRenewRequest, DomainRenData> = {
  rfc: 'RFC 5731 3.2.3',
  writeRequest(request, ns) {
    const own = uri(ns, 'domain');
    return element(
      own,
      'renew',
      undefined,
      textElement(own, 'name', request.name),
      textElement(own, 'curExpDate', request.curExpDate),
      writePeriod(own, request.period),
    );
  },
  readRequest(el) {
    return compact<DomainRenewRequest>({
      object: 'domain',
      verb: 'renew',
      name: neededToken(el, el.ns, 'name'),
      // xsd:date may have a zone; the protocol uses UTC and compares only the day.
      curExpDate: neededToken(el, el.ns, 'curExpDate').slice(0, 10),
      period: readPeriod(el, el.ns),
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'domain');
      return element(
        own,
        'renData',
        undefined,
        textElement(own, 'name', data.name),
        dateElement(own, 'exDate', data.exDate),
      );
    },
    read(el) {
      return compact<DomainRenData>({
        object: 'domain',
        type: 'renData',
        name: neededToken(el, el.ns, 'name'),
        exDate: optionalDate(el, el.ns, 'exDate'),
      });
    },
  },
};
