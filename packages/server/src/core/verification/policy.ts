import type { Config } from '../../config.ts';
import { tldClassOf } from '../policy/tld-class.ts';
import type { TldRules } from '../tlds/tld.ts';

export const verificationPolicy = {
  /** gTLDs: so long the holder has, from a registration, a transfer or a change of the address. */
  days: 15,
  /** Asked once more when so many days are left. */
  reminderDays: 8,
  /** A link in a mail works for so long; a new one can always be sent. */
  linkDays: 30,
  /** Where several names have one address, it gets one mail in this time. */
  oneMailMs: 86_400_000,
  linksPerDay: 5,
  /** Names that are asked about in the transaction of a contact's change; the clockwork asks about the others. */
  namesPerChange: 500,
  /** gTLDs: holders are shown their data so often. */
  dataReminderDays: 365,
  /** After something stood in the way of a hold, or of its end. */
  againMs: 3_600_000,
  /** So far ahead of ours the clock of somebody who reports a confirmation may be. */
  clocksDifferMs: 300_000,
  /** A registry that could not be told of one is tried again. */
  reportAgainMs: 300_000,
};

export interface VerificationRule {
  readonly days: number;
  readonly hold: boolean;
}

/** What a TLD asks: its own rule, else that of its class. A country's registry has rules of its own. */
export function verificationRule(
  config: Pick<Config, 'verifyRegistrants'>,
  tld: string,
  rules: Pick<TldRules, 'holder_verification'>,
): VerificationRule | null {
  if (config.verifyRegistrants === 'off') return null;
  const ofClass = tldClassOf(tld) === 'country' ? null : { days: verificationPolicy.days, hold: true };
  const rule = rules.holder_verification === undefined ? ofClass : rules.holder_verification;
  return rule && { days: rule.days, hold: rule.hold && config.verifyRegistrants === 'hold' };
}
