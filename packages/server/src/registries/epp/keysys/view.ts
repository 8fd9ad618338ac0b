import type { AnswerExtensions } from '@namehold/epp';
import { addYears } from '../../../core/model/domain.ts';
import type { RegistryDomain } from '../../../core/ports/registry.ts';
import { type KeysysSettings, renewsByMode } from './settings.ts';

const once: readonly string[] = ['RENEWONCE', 'RENEWONCETHENAUTOEXPIRE', 'RENEWONCETHENAUTODELETE'];
const never: readonly string[] = ['AUTOEXPIRE', 'AUTODELETE', 'EXPIREAUCTION'];
const locked = 'clientTransferProhibited';

/** A renewal is ordered by the renewal mode and not yet carried out. */
export const isRenewalOrdered = (settings: KeysysSettings, name: string, mode: string | undefined): boolean =>
  renewsByMode(settings, name) && mode !== undefined && once.includes(mode.toUpperCase());

/**
 * The end of the term that is ordered. A renewal by mode counts from its order: it is the only record of the order there, and it
 * prevents a second one.
 */
export const orderedUntil = (expiresAt: Date | null, isOrdered: boolean): Date | null =>
  expiresAt && isOrdered ? addYears(expiresAt, 1) : expiresAt;

const dateOf = (text: string | undefined): Date | null => {
  const at = new Date(text ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
};

/** The parts of a domain that differ because of the extension. */
export function keysysView(
  settings: KeysysSettings,
  shown: RegistryDomain,
  { keysys }: AnswerExtensions,
): Partial<RegistryDomain> {
  if (keysys?.type !== 'infData') return {};
  const { renewalmode: mode, renDate, punDate, transferlock, 'whois-privacy': privacy } = keysys.fields;
  const paid = settings.paidUntil === 'punDate' ? (dateOf(punDate) ?? shown.expiresAt) : shown.expiresAt;
  const isOrdered = isRenewalOrdered(settings, shown.name, mode);
  const expiresAt = orderedUntil(paid, isOrdered);
  const renewBy = dateOf(renDate);
  const isEarlier = renewBy !== null && paid !== null && renewBy < paid && !isOrdered;
  const isLocked = transferlock === '1' && !shown.statuses.includes(locked);
  return {
    expiresAt,
    ...(isEarlier ? { renewBy } : {}),
    ...(isLocked ? { statuses: [...shown.statuses, locked] } : {}),
    ...autoRenewOf(settings, mode, isOrdered),
    ...(privacy === undefined ? {} : { isPrivate: privacy === '1' }),
  };
}

function autoRenewOf(settings: KeysysSettings, mode: string | undefined, isOrdered: boolean) {
  if (mode === undefined) return {};
  const actual = mode.toUpperCase() === 'DEFAULT' ? settings.defaultMode : mode.toUpperCase();
  return { autoRenew: !isOrdered && !never.includes(actual) };
}
