import { recordRegistrantChangeEnd } from '../approvals/registrant-change-events.ts';
import { deleteTransferCode } from '../domains/transfer-in/transfer.sql.ts';
import { Refusal } from '../errors.ts';
import type { OperationOf } from '../model/operation.ts';
import { actorOf } from '../operations/actor.ts';
import type { Workflow } from '../operations/run.ts';
import { partiesOf, wantedParty } from '../registrant-change/parties.ts';
import { lockContact } from '../tables/contact.sql.ts';
import { applyChange } from './change.ts';
import { requireUnlockedDomains } from './require-changeable.ts';

/** The contact of registered domains gets other data, once both sides have confirmed. Separate operations update the registries. */
export const registrantChangeWorkflow: Workflow<'holder_change'> = {
  kind: 'holder_change',
  async run({ ctx, operation }) {
    const party = wantedParty(ctx, operation);
    if (!party || !(await partiesOf(ctx, ctx.db.as(operation.reseller_id), operation))) return overtaken(operation);
    return {
      kind: 'done',
      proof: 'nothing_sent',
      outcome: { changed: true },
      async settle(tx) {
        const { customer_id: customerId, contact_id: id, holder } = operation.request;
        const before = await lockContact(tx, operation.reseller_id, customerId, id);
        if (!before) throw new Error(`contact ${id} vanished`);
        const { idempotency: _, ...actor } = actorOf(operation);
        const isLockWaived = operation.approval?.lock_opt_out;
        await applyChange(ctx, tx, actor, { before, party, registrantChange: holder, isLockWaived }, []);
        await deleteTransferCode(tx, operation.id);
        await recordRegistrantChangeEnd(ctx, tx, actor, operation, 'holder_change.done');
      },
    };
  },
  async recheck(ctx, tx, operation) {
    const { customer_id: customerId, contact_id: id } = operation.request;
    const contact = await lockContact(tx, operation.reseller_id, customerId, id);
    if (!contact || !(await partiesOf(ctx, tx, operation))) throw overtakenBy(operation);
    await requireUnlockedDomains(tx, operation.reseller_id, id);
  },
  async cancel(ctx, tx, operation) {
    await recordRegistrantChangeEnd(ctx, tx, actorOf(operation), operation, 'holder_change.declined');
  },
};

const overtakenBy = ({ contact_id: id }: OperationOf<'holder_change'>) =>
  new Refusal('conflict', `Contact ${id} changed after its registrant was asked to confirm.`);

function overtaken(operation: OperationOf<'holder_change'>) {
  const { code, message } = overtakenBy(operation);
  return {
    kind: 'refused',
    evidence: { text: message },
    error: { code, sentence: message },
    settle: () => Promise.resolve(),
  } as const;
}
