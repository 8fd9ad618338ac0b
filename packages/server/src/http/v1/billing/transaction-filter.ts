import { exponentOf } from '@namehold/base';
import { badField } from '../../../core/errors.ts';
import { ledgerLimits, transactionTypes } from '../../../core/ledger/ledger.ts';
import { integer, list, moment, oneOf, text } from '../../field.ts';
import { pagingAfterId } from '../../page.ts';

const amountMax = 10 ** ledgerLimits.amountDigits;

/** Filters of all lists of transactions. */
export const transactionFilters = {
  ...pagingAfterId,
  transaction_type: oneOf(transactionTypes, 'Only this type.').optional(),
  transaction_id: list({
    max: ledgerLimits.transactionIdsPerFilter,
    about: 'Only these ids.',
    example: ['1001', '1002'],
  }).optional(),
  date_start: moment({ about: 'Created at or after this time.' }).optional(),
  date_end: moment({
    about: 'Created at or before this time. A bare date includes that day.',
    endOfDay: true,
  }).optional(),
  amount_range_start: integer({ min: 0, max: amountMax, about: 'Minimum amount, in whole units.' }).optional(),
  amount_range_end: integer({ min: 0, max: amountMax, about: 'Maximum amount, in whole units.' }).optional(),
  description: text({ max: ledgerLimits.descriptionLength, about: 'Part of the description.' }).optional(),
};

interface Sent {
  readonly transaction_type?: (typeof transactionTypes)[number] | undefined;
  readonly transaction_id?: readonly string[] | undefined;
  readonly date_start?: Date | undefined;
  readonly date_end?: Date | undefined;
  readonly amount_range_start?: number | undefined;
  readonly amount_range_end?: number | undefined;
  readonly description?: string | undefined;
}

export function filterOf(sent: Sent, currency: string) {
  const minor = (units: number | undefined) =>
    units === undefined ? undefined : BigInt(units) * 10n ** BigInt(exponentOf(currency));
  if (sent.transaction_id?.some((id) => !/^\d{1,18}$/.test(id)))
    throw badField('transaction_id', 'Must be decimal ids.');
  return {
    types: sent.transaction_type && [sent.transaction_type],
    ids: sent.transaction_id,
    from: sent.date_start,
    to: sent.date_end,
    amountFrom: minor(sent.amount_range_start),
    amountTo: minor(sent.amount_range_end),
    description: sent.description,
  };
}
