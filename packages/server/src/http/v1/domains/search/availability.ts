import { z } from 'zod';
import { type CheckedName, checkAvailability } from '../../../../core/domains/search/availability.ts';
import { badField } from '../../../../core/errors.ts';
import { domainLimits } from '../../../../core/model/domain.ts';
import { list, text } from '../../../field.ts';
import { route } from '../../../route.ts';
import { moneyView, showMoney } from '../../billing/money-view.ts';

export const nameStatus = z.enum(['available', 'regthroughus', 'regthroughothers', 'unknown', 'error']);

const checkedView = z
  .object({
    status: nameStatus,
    code: z
      .enum(['invalid_name', 'tld_not_offered'])
      .optional()
      .describe('With status error: why, unless the registry refused the query.'),
    reason: z.string().optional().describe('Answer of the registry, or of the rules of the TLD.'),
    price: moneyView.nullable().optional().describe('For the shortest registration. Null: no price is set.'),
    premium: z.boolean().optional(),
    premium_class: z.string().optional(),
  })
  .meta({ id: 'Availability', description: 'Availability of a domain name.' });

const rowView = z.record(z.string(), z.union([checkedView, z.string()]));

/** Other clients read `domain` and `status` beside the entry with the domain name as key. */
function showChecked(checked: CheckedName): z.output<typeof rowView> {
  const { requested, status, code, reason, price, premiumClass } = checked;
  return {
    [requested]: {
      status,
      ...(code === undefined ? {} : { code }),
      ...(reason === undefined ? {} : { reason }),
      ...(price === undefined ? {} : { price: price && showMoney(price), premium: premiumClass !== undefined }),
      ...(premiumClass === undefined ? {} : { premium_class: premiumClass }),
    },
    domain: requested,
    status,
  };
}

export const availability = route({
  method: 'GET',
  path: '/domains/availability',
  customer: 'order',
  area: 'domains',
  style: 'contract',
  cost: ({ domain }) => domain.length,
  summary: 'Check the availability of domain names',
  description:
    'One element for each domain name, keyed exactly as requested, with `domain` and `status` beside that key. Statuses: available; regthroughus: in your account or below it; regthroughothers; unknown; error: cannot be registered here. unknown: the registry cannot be queried, or the operator must check a domain that the registry holds for this service. Available domains have your price.',
  input: z.object({
    domain: list({
      max: domainLimits.namesPerCheck,
      about: `The domain names, at most ${domainLimits.namesPerCheck}.`,
      example: ['example-shop.com', 'example.net'],
    }),
    lang: text({
      max: 20,
      about: 'Language of an internationalised domain name. Accepted, but not required.',
    }).optional(),
  }),
  output: z.array(rowView),
  errors: ['invalid_argument'],
  example: {
    input: { domain: ['example-shop.com'] },
    output: [
      {
        'example-shop.com': { status: 'available', price: { amount: '11.50', currency: 'USD' }, premium: false },
        domain: 'example-shop.com',
        status: 'available',
      },
    ],
  },
  async answer(ctx, caller, input) {
    if (input.domain.length === 0) throw badField('domain', 'This field is required.', 'required');
    return (await checkAvailability(ctx, caller, input.domain)).map(showChecked);
  },
});
