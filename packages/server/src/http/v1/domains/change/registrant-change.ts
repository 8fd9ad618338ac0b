import { z } from 'zod';
import type { RegistrantChangeDraft } from '../../../../core/registrant-change/draft.ts';
import { type RegistrantChangeConsent, sides } from '../../../../core/registrant-change/registrant-change.ts';
import { badParameter } from '../../../errors.ts';
import { flag } from '../../../field.ts';
import type { Caller } from '../../../route.ts';
import { instantOrNull } from '../../../wire.ts';
import { moneyView, showMoney } from '../../billing/money-view.ts';

/** What a call that may give a name another holder can say about it. */
export const registrantChangeFields = {
  designated_agent: flag(
    'Another holder of a gTLD name. true: both sides have authorised you to agree for them, and it is carried out at once. false: both are asked by mail, and it waits for them. Left out: as the operator has set it.',
  ).optional(),
  lock_opt_out: flag(
    'The prior holder wants no lock against transfers after the change. Where the holders are asked, the prior one has the last word.',
  ).optional(),
  dry_run: flag('Only say which way it would go, and what it would cost.').optional(),
};

interface ConsentFields {
  readonly designated_agent?: boolean | undefined;
  readonly lock_opt_out?: boolean | undefined;
}

/** A customer agrees for nobody: both sides are asked. */
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
        'at_once: no change of the holder that policy is about. agent: carried out at once, by your word for both sides. confirmations: it waits for those.',
      ),
    confirmations: z
      .array(z.object({ side: z.enum(sides), address: z.string().describe('Where the mail goes.') }))
      .describe('Who would be asked. One, where one address stands for both sides.'),
    confirm_by: z.string().nullable().describe('Without all confirmations by then it lapses.'),
    transfer_lock_until: z
      .string()
      .nullable()
      .describe('Carried out now, the name could not go to another registrar until then; null: no lock follows.'),
    fee: moneyView.describe('What it costs.'),
  })
  .meta({ id: 'HolderChangeDryRun', description: 'Which way a change of contacts would go; nothing was done.' });

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
