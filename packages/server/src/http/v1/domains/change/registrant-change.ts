import { z } from 'zod';
import { type RegistrantChangeConsent, sides } from '../../../../core/model/registrant-change.ts';
import type { RegistrantChangeDraft } from '../../../../core/registrant-change/draft.ts';
import { badParameter } from '../../../errors.ts';
import { flag } from '../../../field.ts';
import type { Caller } from '../../../route.ts';
import { instantOrNull } from '../../../wire.ts';
import { moneyView, showMoney } from '../../billing/money-view.ts';

/** Parameters of calls that can change the registrant. */
export const registrantChangeFields = {
  designated_agent: flag(
    'For a change of registrant of a gTLD domain. true: both parties have authorised you to agree for them, and the change is made at once. false: both are asked by mail, and the change waits for them. Omitted: as set by the operator.',
  ).optional(),
  lock_opt_out: flag(
    'The prior registrant declines the transfer lock after the change. If the registrants are asked by mail, the prior registrant decides.',
  ).optional(),
  dry_run: flag('Dry run: only return how the change would proceed, and its price.').optional(),
};

interface ConsentFields {
  readonly designated_agent?: boolean | undefined;
  readonly lock_opt_out?: boolean | undefined;
}

/** A customer cannot agree for others, so both parties are asked. */
export function consentOf(
  { customerId }: Caller,
  { designated_agent, lock_opt_out = false }: ConsentFields,
): RegistrantChangeConsent {
  if (customerId === undefined) return { isAgent: designated_agent, isLockWaived: lock_opt_out };
  if (designated_agent)
    throw badParameter('designated_agent', 'Customers cannot set this. Both registrants are asked to confirm.');
  return { isAgent: false, isLockWaived: lock_opt_out };
}

export const registrantChangeDraftView = z
  .object({
    dry_run: z.literal(true),
    path: z
      .enum(['at_once', 'agent', 'confirmations'])
      .describe(
        'at_once: no change of registrant under the policy. agent: made at once, on your authorisation by both parties. confirmations: waits for the registrants.',
      ),
    confirmations: z
      .array(z.object({ side: z.enum(sides), address: z.string().describe('Recipient of the mail.') }))
      .describe('The registrants that would have to confirm. Only one, if both have the same address.'),
    confirm_by: z.string().nullable().describe('Without all confirmations by then, the change expires.'),
    transfer_lock_until: z
      .string()
      .nullable()
      .describe('If made now, transfers to another registrar would be locked until then. Null: no lock.'),
    fee: moneyView.describe('The price.'),
  })
  .meta({ id: 'RegistrantChangeDryRun', description: 'Dry run of a change of contacts. Nothing was changed.' });

export const showRegistrantChangeDraft = (
  draft: RegistrantChangeDraft,
): z.output<typeof registrantChangeDraftView> => ({
  dry_run: true,
  path: draft.path,
  confirmations: draft.confirmations.map((each) => ({ ...each })),
  confirm_by: instantOrNull(draft.confirmBy),
  transfer_lock_until: instantOrNull(draft.lockUntil),
  fee: showMoney(draft.fee),
});
