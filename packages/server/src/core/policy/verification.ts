import { addDays } from '@namehold/base';
import type { Config } from '../../config.ts';
import type { AppContext } from '../app-context.ts';
import type { TldRules } from '../model/tld.ts';
import type { VerificationCause, VerificationWait } from '../model/verification.ts';
import { tldClassOf } from './tld-class.ts';

export const verificationPolicy = {
  /** gTLDs: the time for the registrant to confirm after a registration, a transfer or a change of the address. */
  days: 15,
  /** A second mail is sent when this many days are left. */
  reminderDays: 8,
  /** Validity of a link in a mail; a new one can always be sent. */
  linkDays: 30,
  /** An address of several domains gets one mail in this time. */
  oneMailMs: 86_400_000,
  linksPerDay: 5,
  /** Domains handled in the transaction of a contact's change; a background job handles the others. */
  namesPerChange: 500,
  /** gTLDs: interval of the data reminder to registrants. */
  dataReminderDays: 365,
  /** Pause after a hold, or its end, was not possible. */
  againMs: 3_600_000,
  /** Tolerated clock difference of a reseller that reports a confirmation. */
  clocksDifferMs: 300_000,
  /** Pause before a registry that could not be updated is tried again. */
  reportAgainMs: 300_000,
};

interface VerificationRule {
  readonly days: number;
  readonly hold: boolean;
}

/** The rule of a TLD: its own, else that of its class. The registry of a country has rules of its own. */
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

/** What a domain waits for from now on; undefined: its TLD requires no verification. */
export function verificationWait(
  ctx: Pick<AppContext, 'config' | 'clock'>,
  tld: string,
  cause: VerificationCause,
  rules: TldRules,
): VerificationWait | undefined {
  const rule = verificationRule(ctx.config, tld, rules);
  if (!rule) return undefined;
  const since = ctx.clock.now();
  const lately = new Date(since.getTime() - verificationPolicy.oneMailMs);
  return { since, by: addDays(since, rule.days), cause, lately, hold: rule.hold };
}
