import { z } from 'zod';
import { instant, word } from '../../field.ts';
import { domain_id } from '../domains/buy/order-fields.ts';

/** Of which name, from when to when, and in which steps: what every count of forwarding is asked by. */
export const countedTime = z.object({
  domain_id,
  from: instant('Beginning.').optional(),
  to: instant('End. Default: now.').optional(),
  step: word(['hour', 'day'], 'Default: day.').optional(),
});
