import type { Tx } from '@namehold/postgres';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { capture } from '../../ledger/capture.ts';
import { release } from '../../ledger/release.ts';
import type { Domain } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { Kinds } from '../../model/operation-kinds.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, Reply } from '../../ports/registry.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { setPrivacyBought } from '../change/privacy.sql.ts';
import { asOurRecords } from '../registry/as-our-records.ts';
import { type Hidden, hideRegistrant } from '../registry/hide-registrant.ts';
import { domainEvent, failed } from '../registry/outcome.ts';
import { readRegistryDomain, refusedWith } from '../registry/read-registry-domain.ts';

/** Charged only when the registry hides the registrant; at once if the registry has no contact data. */
export const privacyWorkflow: Workflow<'buy_privacy'> = {
  kind: 'buy_privacy',
  async run(run) {
    const { name } = run.operation.request;
    const hidden = await hideRegistrant(run, 'buy_privacy', () => readRegistryDomain(run, name));
    if (hidden.kind === 'stopped') return stopped(run, hidden.reply);
    const { reply } = hidden;
    if (reply.pending) return { kind: 'waiting', evidence: reply.evidence, why: 'the registry reviews the change' };
    return bought(run, hidden);
  },
  async cancel(ctx, tx, operation) {
    await release(ctx, tx, { operationId: operation.id });
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.privacy_cancelled', {}));
  },
  asDone: (ctx, { domain_id }) => asOurRecords(ctx, domain_id),
};

function stopped(run: Run<'buy_privacy'>, reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
  const undo = async (tx: Tx, evidence: Evidence) => {
    await release(run.ctx, tx, { operationId: run.operation.id });
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    await appendEvent(run.ctx, tx, domainEvent(run.operation, 'domain.privacy_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

function bought(
  run: Run<'buy_privacy'>,
  { reply, isSent }: Extract<Hidden, { kind: 'hidden' }>,
): WorkflowResult<Kinds['buy_privacy']['outcome']> {
  const { ctx, operation } = run;
  const { request } = operation;
  return {
    kind: 'done',
    evidence: reply.evidence,
    outcome: { privacy_from: request.from, privacy_until: request.until },
    // An extension for a registrant who is already hidden.
    ...(isSent ? {} : { proof: 'nothing_sent' as const }),
    async settle(tx) {
      const before = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      const after = await setPrivacyBought(tx, before.id, new Date(request.until), ctx.clock.now());
      await capture(ctx, tx, { operationId: operation.id });
      const facts = (row: Domain) => ({ privacy_enabled: row.privacy_enabled, privacy_until: row.privacy_until });
      await audit(ctx, tx, actorOf(operation), {
        action: 'domain.privacy_bought',
        objectType: 'domain',
        objectId: before.id,
        before: facts(before),
        after: facts(after),
      });
      const changes = { changed: ['privacy'], before: facts(before), after: facts(after) };
      await appendEvent(ctx, tx, domainEvent(operation, 'domain.updated', changes));
    },
  };
}
