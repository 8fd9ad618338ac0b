/** What a target says before its content. */
export interface ProbeAnswer {
  readonly status: number;
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Browsers believe its certificate. */
  readonly isTrusted: boolean;
}

/**
 * Asks a web server for a page and reads no further than its headers. The address is given, so that no second look-up can lead
 * elsewhere; nothing that it answers is followed. Undefined: no answer in time.
 */
export interface TargetProbe {
  ask(url: URL, address: string): Promise<ProbeAnswer | undefined>;
}
