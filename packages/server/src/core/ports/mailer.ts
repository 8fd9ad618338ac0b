/** One outgoing mail, independent of how it is sent. */
export interface Mail {
  readonly noticeId: string;
  readonly resellerId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  /** Return address if it cannot be delivered. */
  readonly returnTo: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly at: Date;
}

/** `unreachable`: the mail server did not answer. `retry_later`: it deferred this mail. Both are tried again. */
export type Delivery =
  | { readonly kind: 'sent'; readonly reply: string }
  | { readonly kind: 'refused'; readonly reply: string }
  | { readonly kind: 'retry_later'; readonly reply: string }
  | { readonly kind: 'unreachable'; readonly reply: string };

/** The port: a mail server, or its replacement in the sandbox. */
export interface Mailer {
  send(mail: Mail): Promise<Delivery>;
  close(): Promise<void>;
}
