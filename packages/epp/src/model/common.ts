/** RFC 5731 section 2.7: 1 to 99 years or months. */
export type Period = { readonly value: number; readonly unit: 'y' | 'm' };

/** A status with the server's optional text. Unknown values are kept. */
export type Status = { readonly value: string; readonly text?: string; readonly lang?: string };

/** RFC 5730/5731: the secret that proves control of an object. `roid` identifies the contact whose secret it is. */
export type AuthInfo = { readonly pw: string; readonly roid?: string };

/** RFC 9154 4.2: `null` in an update unsets the secret. */
export type AuthInfoChange = AuthInfo | { readonly unset: true };

export type IpAddress = { readonly address: string; readonly version: 'v4' | 'v6' };

export type TransferOperation = 'request' | 'query' | 'approve' | 'reject' | 'cancel';

/** RFC 5730 eppcom trStatusType; any other text is kept unchanged. */
export type TransferStatus =
  | 'pending'
  | 'clientApproved'
  | 'clientCancelled'
  | 'clientRejected'
  | 'serverApproved'
  | 'serverCancelled'
  | (string & {});

/** The registry's reason why an object cannot be provisioned. */
export type CheckItem = {
  /** Domain name, host name or contact id. */
  readonly id: string;
  readonly available: boolean;
  readonly reason?: string;
  readonly lang?: string;
};

export type TransactionIds = { readonly clTRID?: string; readonly svTRID: string };
