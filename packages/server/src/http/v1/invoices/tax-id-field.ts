import { invoiceLimits } from '../../../core/invoices/invoice.ts';
import { text } from '../../field.ts';

/** With one a buyer is a business: what nobody can see is none. */
export const taxId = (about: string, example?: string) =>
  text({
    min: 0,
    max: invoiceLimits.taxIdLength,
    about,
    ...(example === undefined ? {} : { example }),
    pattern: /^$|[A-Za-z0-9]/,
    must: 'must have letters or figures; empty: none',
    shown: 'code',
  });
