/**
 * The port for providers of payments. An adapter is a file in the room `payments/` and one line in its table; core never names one. What the adapter
 * learns goes through `receive`, whoever told it: there is no other way from a payment to a balance.
 */
export interface PaymentProvider {
  /** In paths and rows. */
  readonly name: string;
  /** What the payer does, beside the details that the seller has set. */
  instructions(request: { readonly reference: string; readonly details: string }): Readonly<Record<string, string>>;
  /** Reads a notice that the provider sent by itself; without this there are none. */
  readonly readNotice?: (notice: SignedNotice) => NoticeRead;
}

/** As it came: what is signed are octets. */
export interface SignedNotice {
  readonly body: Buffer;
  readonly header: (name: string) => string | undefined;
  /** What the seller and the provider share. */
  readonly secret: string;
  /** Of the wall: a signature has an age. */
  readonly now: Date;
}

/** `forged` is all that is not signed as it must be, too old among it: nobody is told which. */
export type NoticeRead =
  | { readonly kind: 'forged' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'told'; readonly events: readonly ProviderEvent[] };

/** Money that came in or was taken back (a charge-back), as the provider tells it. What is no money (begun, failed, pending, disputed) is not told on. */
export interface ProviderEvent {
  readonly kind: 'came' | 'taken_back';
  /** The provider's own; a second one with it is the same. */
  readonly eventId: string;
  readonly reference: string;
  /** Decimal, in the major unit; above zero, whichever way it went. */
  readonly amount: string;
  readonly currency: string;
}

export type PaymentProviders = ReadonlyMap<string, PaymentProvider>;
