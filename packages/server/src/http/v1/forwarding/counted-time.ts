import { z } from 'zod';
import { instant, oneOf } from '../../field.ts';
import { domain_id } from '../domains/buy/order-fields.ts';

/** Domain, period and step: the parameters of all forwarding statistics. */
export const countedTime = z.object({
  domain_id,
  from: instant('Beginning.').optional(),
  to: instant('End. Default: now.').optional(),
  step: oneOf(['hour', 'day'], 'Default: day.').optional(),
});
