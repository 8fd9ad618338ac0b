import { isDeepStrictEqual } from 'node:util';
import { lockSecurity } from '../accounts/security.sql.ts';
import { Refusal } from '../errors.ts';
import { actorOf } from '../operations/actor.ts';
import type { Workflow } from '../operations/run.ts';
import { applySecurity } from './change-security.ts';

/** A choice of the account that had to wait for approval. No registry is involved. */
export const securityWorkflow: Workflow<'account_security'> = {
  kind: 'account_security',
  async recheck(_ctx, tx, operation) {
    const present = await lockSecurity(tx, operation.reseller_id);
    if (isDeepStrictEqual({ ...present }, { ...operation.request.before })) return;
    throw new Refusal('conflict', 'The account settings changed after this change was requested. Request it again.', {
      facts: { operation_id: operation.id },
    });
  },
  async run({ ctx, operation }) {
    const { before, wanted } = operation.request;
    return {
      kind: 'done',
      proof: 'nothing_sent',
      outcome: wanted,
      settle: (tx) => applySecurity(ctx, tx, actorOf(operation), before, wanted),
    };
  },
  async cancel() {
    // Nothing was done that needs reverting.
  },
};
