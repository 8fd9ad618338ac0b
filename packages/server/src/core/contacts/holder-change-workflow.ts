import { tellHolderEnd } from '../approvals/tell-holder-change.ts';
import { forgetCode } from '../domains/transfer-in/transfer.sql.ts';
import { Refusal } from '../errors.ts';
import { partiesOf, wantedParty } from '../holder-change/parties.ts';
import { actorOf } from '../operations/actor.ts';
import type { OperationOf } from '../operations/operation.ts';
import type { Workflow } from '../operations/run.ts';
import { applyChange } from './change.ts';
import { lockContact } from './contact.sql.ts';
import { requireUnlockedDomains } from './require-changeable.ts';

/** A contact that holds names gets other data, once both sides have confirmed. Registries hear of it by operations of their own. */
export const holderChangeWorkflow: Workflow<'holder_change'> = {
  kind: 'holder_change',
  async run({ house, operation }) {
    const party = wantedParty(house, operation);
    if (!party || !(await partiesOf(house, house.db.as(operation.reseller_id), operation))) return overtaken(operation);
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
        await applyChange(house, tx, actor, { before, party, holder, isLockWaived }, []);
        await forgetCode(tx, operation.id);
        await tellHolderEnd(house, tx, actor, operation, 'holder_change.done');
      },
    };
  },
  async recheck(house, tx, operation) {
    const { customer_id: customerId, contact_id: id } = operation.request;
    const contact = await lockContact(tx, operation.reseller_id, customerId, id);
    if (!contact || !(await partiesOf(house, tx, operation))) throw overtakenBy(operation);
    await requireUnlockedDomains(tx, operation.reseller_id, id);
  },
  async cancel(house, tx, operation) {
    await tellHolderEnd(house, tx, actorOf(operation), operation, 'holder_change.declined');
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
