/** Mail for whatever has no address of its own; no local part is empty. */
export const catchAll = '';

/** RFC 5321 4.5.1, RFC 2142: whoever runs the name must be reachable there. */
export const dutyAddresses: ReadonlySet<string> = new Set(['postmaster', 'abuse']);

export type SpamWay = 'refuse' | 'mark';

/** One address below a name, and where its mail goes; a row of `mail_forward`. */
export interface MailForward {
  readonly local_part: string;
  readonly targets: readonly string[];
  /** `refuse`: an address that the catch-all does not take. */
  readonly action: 'forward' | 'refuse';
  readonly spam: SpamWay;
  readonly enabled: boolean;
}

/** What the owner of an address elsewhere said to one customer, and whether it takes mail. */
export type TargetState = 'waiting' | 'confirmed' | 'stopped' | 'failing' | 'lapsed';
