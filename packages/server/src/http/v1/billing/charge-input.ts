import { ledgerLimits } from '../../../core/ledger/ledger.ts';
import { amount, flag, text } from '../../field.ts';
import { currencyCode } from '../common/currency-field.ts';

export const chargeInput = {
  amount: amount('How much, in the selling currency of the account.'),
  currency: currencyCode('Where sent it must be the currency of the account: nothing is converted.').optional(),
  description: text({ max: ledgerLimits.descriptionLength, about: 'What for.', example: 'bank transfer' }),
};

export const subtractTotalReceipts = flag('Also lower the figure total_receipts.').optional();
