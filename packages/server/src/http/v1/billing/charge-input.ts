import { ledgerLimits } from '../../../core/ledger/ledger.ts';
import { amount, flag, text } from '../../field.ts';
import { currencyCode } from '../common/currency-field.ts';

export const chargeInput = {
  amount: amount('Amount in the selling currency of the account.'),
  currency: currencyCode('Must be the currency of the account if present. Amounts are not converted.').optional(),
  description: text({
    max: ledgerLimits.descriptionLength,
    about: 'Purpose of the transaction.',
    example: 'bank transfer',
  }),
};

export const subtractTotalReceipts = flag('Also reduce total_receipts.').optional();
