import type { Language, NoticeKind } from './kinds.ts';

export const noticeStates = ['queued', 'sent', 'failed', 'bounced'] as const;
export type NoticeState = (typeof noticeStates)[number];

/**
 * A notice that is to be sent, was sent or could not be delivered. The token of a link is never in its texts: they contain `tokenMark`
 * in its place.
 */
export interface Notice {
  readonly id: string;
  readonly reseller_id: string;
  readonly kind: NoticeKind;
  readonly domain_id: string | null;
  readonly contact_id: string | null;
  readonly address: string;
  readonly recipient: string;
  readonly language: Language;
  readonly sender_name: string;
  readonly sender_address: string | null;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly body_text: string;
  readonly body_html: string;
  readonly state: NoticeState;
  readonly created_at: Date;
  readonly queued_at: Date;
  readonly tries: number;
  readonly result: string | null;
  readonly ended_at: Date | null;
}

/** Placeholder of a token in a text until it is sent. */
export const tokenMark = '[token]';
