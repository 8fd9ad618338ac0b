/** One mail as it leaves, in core's words; who fulfils this is no business of core's. */
export interface Mail {
  readonly noticeId: string;
  readonly resellerId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  /** Where it returns to if it cannot be delivered. */
  readonly returnTo: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly at: Date;
}

/** `away`: nothing is known against this mail; it may be tried again. */
export type Delivery =
  | { readonly kind: 'sent'; readonly reply: string }
  | { readonly kind: 'refused'; readonly reply: string }
  | { readonly kind: 'later'; readonly reply: string }
  | { readonly kind: 'away'; readonly reply: string };

/** The port: a mail server, or what stands in for one. */
export interface Mailer {
  send(mail: Mail): Promise<Delivery>;
  close(): Promise<void>;
}
