import type { Tx } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { appendEvent, tellTogether } from '../../events/append.ts';
import { capture } from '../../ledger/capture.ts';
import { tellHolder } from '../../notices/tell.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Kinds } from '../../operations/kinds.ts';
import type { Run, Verdict } from '../../operations/run.ts';
import type { TldRules } from '../../tlds/tld.ts';
import { askHolder } from '../../verification/ask.ts';
import { zoneAtDelegation } from '../../zones/life/at-registration.ts';
import type { Protection } from '../buy/protect-new.ts';
import { paidUntil } from '../buy/renewal-years.ts';
import { saveChildHost } from '../change/child-hosts.sql.ts';
import { setAdopted } from '../compare/import.sql.ts';
import { applyView } from '../compare/sync.ts';
import { markLive, readDomain, setDs, setNameservers } from '../domain.sql.ts';
import { addYears } from '../domain.ts';
import type { Evidence, HostAddresses, RegistryDomain, RegistryTransfer } from '../registry/registry.ts';
import { domainEvent } from '../registry/verdict.ts';
import { forgetCode, noteTransfer } from './transfer.sql.ts';

export interface Arrival {
  /** As it stands when its contacts and nameservers are set. */
  readonly view: RegistryDomain;
  readonly transfer: RegistryTransfer | null;
  readonly childHosts: readonly HostAddresses[];
  readonly protection: Protection;
  readonly problem: string | undefined;
  readonly rules: TldRules;
}

/** Transaction B of a transfer that has come: the name is live, its money captured, its term what the registry says that it is. */
export function settleArrival(
  run: Run<'transfer'>,
  arrival: Arrival,
  evidence: Evidence,
): Verdict<Kinds['transfer']['outcome']> {
  const { house, operation } = run;
  const { view, transfer } = arrival;
  const actedAt = view.transferredAt ?? transfer?.actionAt ?? house.clock.now();
  const endDate = endOf(run, arrival);
  const from = transfer?.losing ?? null;
  return {
    kind: 'done',
    evidence,
    outcome: { expires_at: endDate.toISOString(), acted_at: actedAt.toISOString(), from_registrar: from },
    async settle(tx) {
      tellTogether(tx);
      await saveArrival(run, tx, arrival, endDate, actedAt);
      const domain = await readDomain(tx, operation.domain_id);
      // Before the zone, as at a registration: both wait for locks, and two must not wait for each other.
      await askHolder(house, tx, domain, 'transfer');
      await zoneAtDelegation(house, tx, actorOf(operation), domain);
      await tellHolder(house, tx, domain, { kind: 'transfer_done', facts: { expires_on: endDate } });
      await audit(house, tx, actorOf(operation), {
        action: 'domain.transferred_in',
        objectType: 'domain',
        objectId: operation.domain_id,
        after: { name: operation.request.name, expires_at: endDate, from_registrar: from },
      });
      const told = { expires_at: endDate.toISOString(), from_registrar: from };
      await appendEvent(house, tx, domainEvent(operation, 'domain.transferred_in', told));
      const reason = arrival.problem;
      if (reason) await appendEvent(house, tx, domainEvent(operation, 'domain.transfer_incomplete', { reason }));
      if (arrival.protection.kind === 'owed') {
        const why = { reason: arrival.protection.why };
        await appendEvent(house, tx, domainEvent(operation, 'domain.protection_failed', why));
      }
      // Last: every order of the account waits for the row of its money.
      await capture(house, tx, { transactionId: operation.transaction_id! });
    },
  };
}

/** Found late, the registry may have renewed by itself since: those years were not ordered. Its record of the transfer says what was. */
function endOf(run: Run<'transfer'>, { view, transfer }: Arrival): Date {
  const { from, years } = run.operation.request;
  if (transfer?.expiresAt) return transfer.expiresAt;
  if (from !== null) return paidUntil({ from, years }, view.expiresAt);
  return view.expiresAt ?? addYears(run.house.clock.now(), years);
}

async function saveArrival(run: Run<'transfer'>, tx: Tx, arrival: Arrival, endDate: Date, actedAt: Date) {
  const { house, operation } = run;
  const { transfer, protection } = arrival;
  const isProtected = protection.kind === 'on';
  const id = operation.domain_id;
  const now = house.clock.now();
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
    protectAt: protection.kind === 'owed' ? now : null,
  });
  // What was paid elsewhere ends a year before: the year that was bought here.
  await setAdopted(tx, id, addYears(endDate, -1));
  await setNameservers(tx, id, view.nameservers, now);
  await setDs(tx, id, view.ds, now);
  const domain = await readDomain(tx, id);
  for (const host of arrival.childHosts) await saveChildHost(tx, domain, host);
  await applyView(house, tx, domain, view, arrival.rules);
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
  await forgetCode(tx, operation.id);
}
