import { z } from 'zod';
import { actions, type Reason } from '../../../../core/domains/allowed/reason.ts';
import { renewalModes } from '../../../../core/model/domain.ts';
import { readTimeline, type Timeline } from '../../../../core/timeline/timeline.ts';
import { route } from '../../../route.ts';
import { instantOrNull, instantText } from '../../../wire.ts';
import { moneyView, showMoney } from '../../billing/money-view.ts';
import { helpCall } from '../../common/help-text.ts';
import { quoteLineView, showQuoteLine } from '../../quotes/quote-view.ts';
import { domain_id } from '../buy/order-fields.ts';
import { statusText } from '../status-text.ts';

const who = z.enum(['reseller', 'registry', 'platform', 'nobody']);

const timelineView = z
  .object({
    domain_id: z.string(),
    domain_name: z.string(),
    order_status: z.string(),
    state: z.string(),
    renewal_mode: z.enum(renewalModes),
    as_of: z.string(),
    synced_at: z.string().nullable().describe('When the registry was last queried.'),
    milestones: z
      .array(
        z.object({
          at: z.string(),
          what: z.string(),
          sentence: z.string(),
          who,
          price: moneyView.nullable(),
          price_lines: z.array(quoteLineView).describe('The parts of the price. Empty without a price.'),
        }),
      )
      .describe("Future events, under the renewal mode of the domain and at today's balance and price."),
    blocks: z.array(
      z.object({
        action: z.enum(actions).describe('Which actions are possible, or not.'),
        allowed: z.boolean(),
        reasons: z.array(
          z.object({
            because: z.string(),
            set_by: z.enum(['reseller', 'platform', 'registry']),
            fix: z.string().nullable(),
          }),
        ),
      }),
    ),
    must_act: z.object({ who, by: z.string().nullable(), sentence: z.string() }),
    operation_id: z.string().nullable(),
    deletion: z
      .object({
        refund: moneyView.nullable().describe('Refunded if the domain is deleted now. Null: nothing.'),
        add_grace_ends_at: z.string().nullable().describe('End of the add grace period, if it is open.'),
        restore_days: z
          .number()
          .nullable()
          .describe('The number of days in which the domain can be restored. Null: it cannot.'),
      })
      .nullable()
      .describe('The effect of a deletion now, by the rules of the TLD. Null: the domain is not active.'),
  })
  .meta({ id: 'Timeline', description: 'Future events of a domain, and possible actions.' });

function showTimeline(timeline: Timeline): z.output<typeof timelineView> {
  const { domain, mustAct, deletion } = timeline;
  return {
    domain_id: domain.id,
    domain_name: domain.name,
    order_status: statusText(domain, timeline.asOf).order_status,
    state: domain.state,
    renewal_mode: domain.renewal_mode,
    as_of: instantText(timeline.asOf),
    synced_at: instantOrNull(domain.synced_at),
    milestones: timeline.milestones.map((each) => ({
      ...each,
      at: instantText(each.at),
      price: each.price && showMoney(each.price.total),
      price_lines: (each.price?.lines ?? []).map(showQuoteLine),
    })),
    blocks: timeline.blocks.map(({ action, reasons }) => ({
      action,
      allowed: reasons.length === 0,
      reasons: reasons.map(showReason),
    })),
    must_act: { ...mustAct, by: instantOrNull(mustAct.by) },
    operation_id: timeline.operation?.id ?? null,
    deletion: deletion && {
      refund: deletion.refund && showMoney(deletion.refund),
      add_grace_ends_at: instantOrNull(deletion.addGraceEnds),
      restore_days: deletion.restoreDays,
    },
  };
}

/** Only the reseller can resolve a block, and only the reseller may know why an order waits. */
function showToCustomer(timeline: Timeline): z.output<typeof timelineView> {
  const shown = showTimeline(timeline);
  const sentence = timeline.operation ? 'An order for the domain is in progress.' : shown.must_act.sentence;
  return {
    ...shown,
    blocks: shown.blocks.map((block) => ({
      ...block,
      reasons: block.reasons.map(({ because, set_by }) => ({ because, set_by, fix: null })),
    })),
    must_act: { ...shown.must_act, sentence },
  };
}

const showReason = ({ because, setBy, help, advice }: Reason) => ({
  because,
  set_by: setBy,
  fix: help ? [advice, helpCall(help)].filter((text) => text !== null).join(': ') : advice,
});

export const timeline = route({
  method: 'GET',
  path: '/domains/{domain_id}/timeline',
  customer: 'read',
  area: 'domains',
  style: 'own',
  summary: 'Read the timeline of a domain',
  description:
    "Future events with dates, under the renewal mode of the domain and at today's balance and price, with known prices. Also the possible actions. For each action that is blocked: the reasons, the parties that set them, and what removes them. Also the party that must act next.",
  input: z.object({ domain_id }),
  output: timelineView,
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: {
      domain_id: '5001',
      domain_name: 'example-shop.com',
      order_status: 'Live',
      state: 'live',
      renewal_mode: 'manual',
      as_of: '2026-11-15T09:00:00Z',
      synced_at: '2026-11-15T09:00:00Z',
      milestones: [
        {
          at: '2027-11-15T09:00:00Z',
          what: 'expires',
          sentence: 'The paid term ends.',
          who: 'reseller',
          price: { amount: '11.50', currency: 'USD' },
          price_lines: [{ line: 'renewal', years: 1, amount: { amount: '11.50', currency: 'USD' } }],
        },
      ],
      blocks: [
        { action: 'renew', allowed: true, reasons: [] },
        {
          action: 'transfer',
          allowed: false,
          reasons: [
            { because: 'theft_protection', set_by: 'reseller', fix: 'DELETE /v1/domains/5001/theft_protection' },
          ],
        },
      ],
      must_act: {
        who: 'nobody',
        by: '2027-11-15T09:00:00Z',
        sentence: 'The domain is not renewed automatically. Renew it before the term ends, or turn on auto-renew.',
      },
      operation_id: null,
      deletion: { refund: null, add_grace_ends_at: null, restore_days: 30 },
    },
  },
  async answer(ctx, caller, input) {
    const read = await readTimeline(ctx, caller, input.domain_id);
    return caller.customerId === undefined ? showTimeline(read) : showToCustomer(read);
  },
});
