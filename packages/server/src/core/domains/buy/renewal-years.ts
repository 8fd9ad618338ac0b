import { addYears } from '../../model/domain.ts';
import { feeMoney } from '../../model/fee-money.ts';
import type { RenewRequest } from '../../model/operation-kinds.ts';
import type { RegistryFee } from '../../ports/registry.ts';
import { isRenewedUnpaid, wholeYears } from '../lifecycle.ts';
import { asFee, times } from './premium-fee.ts';

/** Years still to be bought at the registry. Years that it auto-renewed are part of what the reseller pays for. */
export function yearsToSend(request: Pick<RenewRequest, 'from' | 'years'>, registryDate: Date | null): number {
  const from = new Date(request.from);
  if (!registryDate || !isRenewedUnpaid(from, registryDate)) return request.years;
  return Math.max(0, request.years - wholeYears(from, registryDate));
}

export function feeFor(request: RenewRequest, years: number): RegistryFee | undefined {
  const fee = request.fee_per_year;
  return fee === null ? undefined : asFee(times(feeMoney(fee), years));
}

/** The new end of the paid term: the registry's date, unless that is later than what was paid. */
export function paidUntil(request: Pick<RenewRequest, 'from' | 'years'>, registryDate: Date | null): Date {
  const from = new Date(request.from);
  const paid = addYears(from, request.years);
  if (!registryDate) return paid;
  return wholeYears(from, registryDate) > request.years ? paid : registryDate;
}
