/**
 * The port for payment providers. An adapter is a file in the module `payments/` and one line in its table; core never names one. Every
 * report of money goes through `receive`: there is no other way from a payment to a balance.
 */
export interface PaymentProvider {
  /** Used in paths and rows. */
  readonly name: string;
  /** Instructions for the payer, beside the details that the seller has set. */
  instructions(request: { readonly reference: string; readonly details: string }): Readonly<Record<string, string>>;
  /** Reads a notice that the provider sent; without this there are none. */
  readonly readNotice?: (notice: SignedNotice) => NoticeRead;
}

/** Unparsed: the signature covers the bytes. */
export interface SignedNotice {
  readonly body: Buffer;
  readonly header: (name: string) => string | undefined;
  /** The secret shared by the seller and the provider. */
  readonly secret: string;
  /** Wall-clock time: a signature has an age. */
  readonly now: Date;
}

/** `forged`: the signature is wrong or too old. The answer does not say which. */
type NoticeRead =
  | { readonly kind: 'forged' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'reported'; readonly events: readonly ProviderEvent[] };

/**
 * Received money or a charge-back, as the provider reports it. Events that move no money (begun, failed, pending, disputed) are not
 * passed on.
 */
interface ProviderEvent {
  readonly kind: 'came' | 'charged_back';
  /** The provider's own id; a second event with it is the same. */
  readonly eventId: string;
  readonly reference: string;
  /** Decimal, in the major unit; above zero for either direction. */
  readonly amount: string;
  readonly currency: string;
}

export type PaymentProviders = ReadonlyMap<string, PaymentProvider>;
