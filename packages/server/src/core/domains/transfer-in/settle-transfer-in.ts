import type { Tx } from '@namehold/postgres';
import { audit } from '../../audit/audit.ts';
import { appendEvent, batchEvents } from '../../events/append.ts';
import { capture } from '../../ledger/capture.ts';
import { addYears } from '../../model/domain.ts';
import type { Kinds } from '../../model/operation-kinds.ts';
import type { TldRules } from '../../model/tld.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Run, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, HostAddresses, RegistryDomain, RegistryTransfer } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import type { Protection } from '../buy/protect-new.ts';
import { paidUntil } from '../buy/renewal-years.ts';
import { saveChildHost } from '../change/child-hosts.sql.ts';
import { setAdopted } from '../compare/import.sql.ts';
import { applyView } from '../compare/sync.ts';
import { markLive, setDs, setNameservers } from '../domain.sql.ts';
import { domainTransferredIn } from '../effects.ts';
import { domainEvent } from '../registry/outcome.ts';
import { deleteTransferCode, noteTransfer } from './transfer.sql.ts';

interface TransferResult {
  /** The view after its contacts and nameservers are set. */
  readonly view: RegistryDomain;
  readonly transfer: RegistryTransfer | null;
  readonly childHosts: readonly HostAddresses[];
  readonly protection: Protection;
  readonly problem: string | undefined;
  readonly rules: TldRules;
}

/** Transaction B of a completed transfer: the domain becomes active, its money is captured, and its term is the registry's. */
export function settleTransferIn(
  run: Run<'transfer'>,
  arrival: TransferResult,
  evidence: Evidence,
): WorkflowResult<Kinds['transfer']['outcome']> {
  const { ctx, operation } = run;
  const { view, transfer } = arrival;
  const actedAt = view.transferredAt ?? transfer?.actionAt ?? ctx.clock.now();
  const endDate = endOf(run, arrival);
  const from = transfer?.losing ?? null;
  return {
    kind: 'done',
    evidence,
    outcome: { expires_at: endDate.toISOString(), acted_at: actedAt.toISOString(), from_registrar: from },
    async settle(tx) {
      batchEvents(tx);
      await saveTransferIn(run, tx, arrival, endDate, actedAt);
      const domain = await readDomain(tx, operation.domain_id);
      await ctx.effects.run(domainTransferredIn, { ctx, tx, actor: actorOf(operation), domain });
      await notifyRegistrant(ctx, tx, domain, { kind: 'transfer_done', facts: { expires_on: endDate } });
      await audit(ctx, tx, actorOf(operation), {
        action: 'domain.transferred_in',
        objectType: 'domain',
        objectId: operation.domain_id,
        after: { name: operation.request.name, expires_at: endDate, from_registrar: from },
      });
      const transferFacts = { expires_at: endDate.toISOString(), from_registrar: from };
      await appendEvent(ctx, tx, domainEvent(operation, 'domain.transferred_in', transferFacts));
      const reason = arrival.problem;
      if (reason) await appendEvent(ctx, tx, domainEvent(operation, 'domain.transfer_incomplete', { reason }));
      if (arrival.protection.kind === 'pending') {
        const why = { reason: arrival.protection.why };
        await appendEvent(ctx, tx, domainEvent(operation, 'domain.protection_failed', why));
      }
      // Last, because every order of the account waits for the lock on its balance.
      await capture(ctx, tx, { transactionId: operation.transaction_id! });
    },
  };
}

/**
 * If the transfer is found late, the registry may have auto-renewed since, which was not ordered. Its record of the transfer shows the
 * date at that time.
 */
function endOf(run: Run<'transfer'>, { view, transfer }: TransferResult): Date {
  const { from, years } = run.operation.request;
  if (transfer?.expiresAt) return transfer.expiresAt;
  if (from !== null) return paidUntil({ from, years }, view.expiresAt);
  return view.expiresAt ?? addYears(run.ctx.clock.now(), years);
}

async function saveTransferIn(run: Run<'transfer'>, tx: Tx, arrival: TransferResult, endDate: Date, actedAt: Date) {
  const { ctx, operation } = run;
  const { transfer, protection } = arrival;
  const isProtected = protection.kind === 'on';
  const id = operation.domain_id;
  const now = ctx.clock.now();
  const statuses = isProtected
    ? [...new Set([...arrival.view.statuses.filter((status) => status !== 'ok'), 'clientTransferProhibited'])]
    : arrival.view.statuses;
  const view = { ...arrival.view, statuses };
  await markLive(tx, id, {
    createdAt: view.createdAt ?? actedAt,
    expiresAt: view.expiresAt ?? endDate,
    endDate,
    now,
    privacyUntil: null,
    isProtected,
    protectAt: protection.kind === 'pending' ? now : null,
  });
  // The term before the year that was bought here was paid outside this service.
  await setAdopted(tx, id, addYears(endDate, -1));
  await setNameservers(tx, id, view.nameservers, now);
  await setDs(tx, id, view.ds, now);
  const domain = await readDomain(tx, id);
  for (const host of arrival.childHosts) await saveChildHost(tx, domain, host);
  await applyView(ctx, tx, domain, view, arrival.rules);
  await noteTransfer(
    tx,
    id,
    {
      status: transfer?.status ?? 'completed',
      from_registrar: transfer?.losing ?? domain.transfer?.from_registrar ?? null,
      requested_at: transfer?.requestedAt?.toISOString() ?? domain.transfer?.requested_at ?? null,
      action_at: actedAt.toISOString(),
    },
    now,
  );
  await deleteTransferCode(tx, operation.id);
}
