import type { DomainTransferRequest, DomainTrnData } from '../../model/domain.ts';
import { compact, neededToken, optionalDate } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import {
  dateElement,
  readAuthInfo,
  readPeriod,
  readTransfer,
  textElement,
  writeAuthInfo,
  writePeriod,
  writeTransfer,
} from '../parts.ts';

/** The operation is an attribute of the enclosing <transfer>, so the envelope writes and reads it. */
export const domainTransfer: VerbCodec<DomainTransferRequest, DomainTrnData> = {
  rfc: 'RFC 5731 3.1.3 and 3.2.4',
  writeRequest(request, ns) {
    const own = uri(ns, 'domain');
    return element(
      own,
      'transfer',
      undefined,
      textElement(own, 'name', request.name),
      writePeriod(own, request.period),
      writeAuthInfo(own, request.authInfo),
    );
  },
  readRequest(el) {
    return compact<DomainTransferRequest>({
      object: 'domain',
      verb: 'transfer',
      op: 'query',
      name: neededToken(el, el.ns, 'name'),
      period: readPeriod(el, el.ns),
      authInfo: readAuthInfo(el, el.ns),
    });
  },
  answer: {
    write(data, ns) {
      const own = uri(ns, 'domain');
      return element(
        own,
        'trnData',
        undefined,
        textElement(own, 'name', data.name),
        ...writeTransfer(own, data),
        dateElement(own, 'exDate', data.exDate),
      );
    },
    read(el) {
      return compact<DomainTrnData>({
        object: 'domain',
        type: 'trnData',
        name: neededToken(el, el.ns, 'name'),
        ...readTransfer(el),
        exDate: optionalDate(el, el.ns, 'exDate'),
      });
    },
  },
};
