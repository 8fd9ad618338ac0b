import type { Notice } from '../notices/notice.ts';

/** The public facts of an undelivered notice: the mail server's answer may contain the address, the event does not. */
export function undelivered(notice: Notice) {
  return {
    notice_id: notice.id,
    kind: notice.kind,
    domain_id: notice.domain_id,
    contact_id: notice.contact_id,
  };
}
