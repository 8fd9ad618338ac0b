import { z } from 'zod';
import { chooseMode, type RenewalPreview, readRenewal } from '../../../core/domains/renewal/choose-mode.ts';
import { renewalModes } from '../../../core/model/domain.ts';
import { amount, flag, oneOf } from '../../field.ts';
import { type Caller, type Route, route } from '../../route.ts';
import { instantOrNull } from '../../wire.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';
import { customerCheck, domain_id } from './buy/order-fields.ts';

const renewalView = z
  .object({
    domain_id: z.string(),
    domain_name: z.string(),
    renewal_mode: z.enum(renewalModes),
    max_price: z.string().nullable().describe('The maximum price of an automatic renewal. Null: no maximum.'),
    first_try_at: z.string().nullable().describe('When the service first acts. Null: never.'),
    price: moneyView
      .nullable()
      .describe("What the renewal costs at today's prices. Null: no renewal is ordered, or none is possible."),
    what_happens: z.string(),
    dry_run: z.boolean().describe('True: only a preview, nothing was stored.'),
  })
  .meta({ id: 'RenewalMode', description: 'The renewal mode of a domain, and its effects.' });

/** The maximum price is confidential to the reseller. */
const showTo = ({ customerId }: Caller, outlook: RenewalPreview, isDryRun = false): z.output<typeof renewalView> => {
  const shown = show(outlook, isDryRun);
  return customerId === undefined ? shown : { ...shown, max_price: null };
};

const show = (outlook: RenewalPreview, isDryRun = false): z.output<typeof renewalView> => ({
  domain_id: outlook.domain.id,
  domain_name: outlook.domain.name,
  renewal_mode: outlook.domain.renewal_mode,
  max_price: outlook.domain.renewal_max_price,
  first_try_at: instantOrNull(outlook.firstTryAt),
  price: outlook.price && showMoney(outlook.price),
  what_happens: outlook.whatHappens,
  dry_run: isDryRun,
});

const example: z.output<typeof renewalView> = {
  domain_id: '5001',
  domain_name: 'example-shop.com',
  renewal_mode: 'renew',
  max_price: null,
  first_try_at: '2027-10-31T09:00:00Z',
  price: { amount: '12.39', currency: 'USD' },
  what_happens:
    "The domain is renewed by one year, for 12.39 USD at today's prices. If that fails, it is retried every day.",
  dry_run: false,
};

const common = {
  path: '/domains/{domain_id}/renewal_mode',
  area: 'domains',
  style: 'own',
  output: renewalView,
} as const;

export const renewalModeRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    customer: 'read',
    summary: 'Read the renewal mode of a domain',
    description: "The renewal mode, when the service acts on it, and what a renewal costs at today's prices.",
    input: z.object({ domain_id, customer_id: customerCheck }),
    errors: ['not_found'],
    example: { input: { domain_id: '5001' }, output: example },
    answer: async (ctx, caller, input) =>
      showTo(caller, await readRenewal(ctx, caller, { domain: input.domain_id, customerId: input.customer_id })),
  }),
  route({
    ...common,
    method: 'PUT',
    customer: 'manage',
    summary: 'Set the renewal mode of a domain',
    description:
      'manual: only an order renews it. renew: the service orders the renewal some days before the end (`renewal_lead_days` of the TLD), and retries it every day. If money is missing, the event `domain.auto_renewal_failed` is emitted. renew_once: the same for this term, then manual. delete: the domain expires at the end of its term. No term is renewed twice, even with other renewal orders. With dry_run=true nothing is stored.',
    input: z.object({
      domain_id,
      customer_id: customerCheck,
      renewal_mode: oneOf(renewalModes, 'The mode: manual, renew, renew_once or delete.'),
      max_price: amount(
        'The maximum price of an automatic renewal. Without it the price list decides. A premium domain requires it.',
      ).optional(),
      dry_run: flag('Dry run: only return when it would be tried, and the price.').optional(),
    }),
    errors: ['not_found', 'conflict'],
    example: { input: { domain_id: '5001', renewal_mode: 'renew' }, output: example },
    render: (outlook: RenewalPreview) => show(outlook),
    async answer(ctx, caller, input) {
      const which = { domain: input.domain_id, customerId: input.customer_id };
      const change = { mode: input.renewal_mode, maxPrice: input.max_price ?? null };
      const isDryRun = input.dry_run ?? false;
      return showTo(caller, await chooseMode(ctx, caller, which, change, { isDryRun }), isDryRun);
    },
  }),
];
