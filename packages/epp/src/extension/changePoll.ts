import { dateElement, textElement } from '../command/parts.ts';
import type { ChangeNotice } from '../model/poll.ts';
import {
  attribute,
  child,
  compact,
  need,
  neededAttribute,
  neededDate,
  neededToken,
  normalized,
  token,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** RFC 8590 3.1.2: accompanies a poll message with the object before or after the change. */
export function writeChangeNotice(ns: string, notice: ChangeNotice): XmlElement {
  const { caseId } = notice;
  return element(
    ns,
    'changeData',
    { state: notice.state },
    element(ns, 'operation', { op: notice.detail }, notice.operation),
    dateElement(ns, 'date', notice.date),
    textElement(ns, 'svTRID', notice.svTRID),
    textElement(ns, 'who', notice.who),
    caseId && element(ns, 'caseId', { type: caseId.type, name: caseId.name }, caseId.id),
    notice.reason === undefined ? undefined : element(ns, 'reason', { lang: notice.lang }, notice.reason),
  );
}

export function readChangeNotice(el: XmlElement): ChangeNotice {
  const operation = need(el, el.ns, 'operation');
  const caseId = child(el, el.ns, 'caseId');
  const reason = child(el, el.ns, 'reason');
  return compact<ChangeNotice>({
    // RFC 8590 2.2: the default is `after`.
    state: attribute(el, 'state') === 'before' ? 'before' : 'after',
    operation: token(operation),
    detail: attribute(operation, 'op'),
    date: neededDate(el, el.ns, 'date'),
    svTRID: neededToken(el, el.ns, 'svTRID'),
    who: normalized(need(el, el.ns, 'who')),
    caseId:
      caseId &&
      compact<NonNullable<ChangeNotice['caseId']>>({
        type: neededAttribute(caseId, 'type'),
        name: attribute(caseId, 'name'),
        id: token(caseId),
      }),
    reason: reason && token(reason),
    lang: reason && attribute(reason, 'lang'),
  });
}
