export type CertificateState = 'waiting' | 'ordering' | 'live' | 'blocked';

/** Public fields of the certificate. */
export interface CertificateStatus {
  readonly names: readonly string[];
  readonly not_before: Date | null;
  readonly not_after: Date | null;
  readonly renew_at: Date | null;
  readonly live_since: Date | null;
  readonly state: CertificateState;
  readonly reason: string | null;
  /** Orders that failed in a row. */
  readonly failures: number;
}

/** The row keeps `live` until the next order changes it. */
export function statusAt(status: CertificateStatus, now: Date): CertificateStatus {
  const { state, not_after: end, reason, failures } = status;
  if (state !== 'live' || end === null) return status;
  // The error of the latest order says nothing about the certificate that is in use.
  if (end > now) return failures > 0 ? { ...status, reason: null } : status;
  const expired = `The certificate expired at ${end.toISOString()} and has not been renewed.`;
  return { ...status, state: 'waiting', reason: reason === null ? expired : `${expired} ${reason}` };
}
