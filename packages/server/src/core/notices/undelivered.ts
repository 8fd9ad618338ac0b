import type { Notice } from './notice.ts';

/** What is told of a notice that did not arrive; the answer of a mail server may hold the address, the event does not. */
export function undelivered(notice: Notice) {
  return {
    notice_id: notice.id,
    kind: notice.kind,
    domain_id: notice.domain_id,
    contact_id: notice.contact_id,
  };
}
