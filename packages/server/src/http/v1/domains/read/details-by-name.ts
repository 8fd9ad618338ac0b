import { z } from 'zod';
import { readByName } from '../../../../core/domains/read.ts';
import { text } from '../../../field.ts';
import { route } from '../../../route.ts';
import { customerCheck } from '../buy/order-fields.ts';
import { detailView, fields, showDetail } from './domain-detail.ts';
import { detailExample } from './read.ts';

export const detailsByName = route({
  method: 'GET',
  path: '/domains/details-by-name',
  area: 'domains',
  style: 'contract',
  // One client sends that spelling, reads a missing field, and uses today as the expiry. An error is safer.
  noAlias: ['domain_name'],
  summary: 'Read a domain by its name',
  description:
    'Like GET /domains/{domain_id}, found by domain name: the domain in the account now, otherwise the most recent one. An unknown domain name returns 400, because some panels drop the text of a 404.',
  input: z.object({
    domain_name: text({ max: 300, about: 'The domain name.', example: 'example-shop.com' }),
    fields: fields.optional(),
    customer_id: customerCheck,
  }),
  output: detailView,
  errors: ['invalid_argument'],
  example: { input: { domain_name: 'example-shop.com' }, output: detailExample },
  async answer(ctx, caller, input) {
    const shown = await readByName(ctx, caller, input.domain_name, input.customer_id);
    return showDetail(ctx, shown, input.fields);
  },
});
