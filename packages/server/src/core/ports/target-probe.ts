/** The response of a target without its body. */
export interface ProbeAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The certificate is trusted by browsers. */
  readonly isTrusted: boolean;
}

/**
 * Requests a page and reads only the headers. The address is given to prevent DNS rebinding, and redirects are not followed. Undefined:
 * no answer in time.
 */
export interface TargetProbe {
  request(url: URL, address: string): Promise<ProbeAnswer | undefined>;
}
