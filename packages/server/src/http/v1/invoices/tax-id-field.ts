import { invoiceLimits } from '../../../core/model/invoice.ts';
import { text } from '../../field.ts';

/** A tax id makes a buyer a business, so one of invisible characters counts as none. */
export const taxId = (about: string, example?: string) =>
  text({
    min: 0,
    max: invoiceLimits.taxIdLength,
    about,
    ...(example === undefined ? {} : { example }),
    pattern: /^$|[A-Za-z0-9]/,
    must: 'must contain letters or digits; empty: none',
    shown: 'code',
  });
