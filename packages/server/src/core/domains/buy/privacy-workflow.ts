import type { Tx } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { capture } from '../../ledger/capture.ts';
import { release } from '../../ledger/release.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Kinds } from '../../operations/kinds.ts';
import type { Run, Verdict, Workflow } from '../../operations/run.ts';
import { setPrivacyBought } from '../change/privacy.sql.ts';
import { lockDomain } from '../domain.sql.ts';
import type { Domain } from '../domain.ts';
import { asOurRecords } from '../registry/as-our-records.ts';
import { askName, refusedWith } from '../registry/ask-name.ts';
import { describe } from '../registry/ensure-contacts.ts';
import { type Hidden, hideHolder } from '../registry/hide-holder.ts';
import type { Evidence, Reply } from '../registry/registry.ts';
import { domainEvent, failed } from '../registry/verdict.ts';

/** Paid when the registry hides the holder, and not before; at once where it knows none. */
export const privacyWorkflow: Workflow<'buy_privacy'> = {
  kind: 'buy_privacy',
  async run(run) {
    const { name } = run.operation.request;
    const hidden = await hideHolder(run, 'buy_privacy', () => askName(run, name));
    if (hidden.kind === 'stopped') return stopped(run, hidden.reply);
    const { reply } = hidden;
    if (reply.pending) return { kind: 'waiting', evidence: reply.evidence, why: 'the registry reviews the change' };
    return bought(run, hidden);
  },
  async cancel(house, tx, operation) {
    await release(house, tx, { operationId: operation.id });
    await appendEvent(house, tx, domainEvent(operation, 'domain.privacy_cancelled', {}));
  },
  asDone: (house, { domain_id }) => asOurRecords(house, domain_id),
};

function stopped(run: Run<'buy_privacy'>, reply: Exclude<Reply<unknown>, { kind: 'done' }>): Verdict<never> {
  const undo = async (tx: Tx, evidence: Evidence) => {
    await release(run.house, tx, { operationId: run.operation.id });
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    await appendEvent(run.house, tx, domainEvent(run.operation, 'domain.privacy_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

function bought(
  run: Run<'buy_privacy'>,
  { reply, isSent }: Extract<Hidden, { kind: 'hidden' }>,
): Verdict<Kinds['buy_privacy']['outcome']> {
  const { house, operation } = run;
  const { request } = operation;
  return {
    kind: 'done',
    evidence: reply.evidence,
    outcome: { privacy_from: request.from, privacy_until: request.until },
    // More time for a holder who is hidden already.
    ...(isSent ? {} : { proof: 'nothing_sent' as const }),
    async settle(tx) {
      const before = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      const after = await setPrivacyBought(tx, before.id, new Date(request.until), house.clock.now());
      await capture(house, tx, { operationId: operation.id });
      const facts = (row: Domain) => ({ privacy_enabled: row.privacy_enabled, privacy_until: row.privacy_until });
      await audit(house, tx, actorOf(operation), {
        action: 'domain.privacy_bought',
        objectType: 'domain',
        objectId: before.id,
        before: facts(before),
        after: facts(after),
      });
      const changes = { changed: ['privacy'], before: facts(before), after: facts(after) };
      await appendEvent(house, tx, domainEvent(operation, 'domain.updated', changes));
    },
  };
}
