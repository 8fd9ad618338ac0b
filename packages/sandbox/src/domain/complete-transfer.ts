import { addDays } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { moveHosts } from '../host/host.sql.ts';
import { afterTransfer } from '../keysys/fields.ts';
import { setParties } from '../keysys/parties.ts';
import { charge, refund } from '../money/charge.ts';
import { priceOf } from '../money/price.ts';
import { addYears } from '../registry/calendar.ts';
import type { SandboxTld } from '../tlds/index.ts';
import { announceTransfer } from '../transfer/announce.ts';
import { type Cause, endTransfer, type TransferRecord } from '../transfer/transfer.sql.ts';
import { addGrace, endGraces, saveDomain } from './domain.sql.ts';
import { type DomainRecord, gracesAt } from './record.ts';

interface TransferAct {
  readonly domain: DomainRecord;
  readonly label: string;
  readonly tld: SandboxTld;
  readonly transfer: TransferRecord;
}

/**
 * Moves the domain and its hosts to the gaining registrar, adds a year if a transfer adds one, and removes the old authInfo (RFC 9154
 * 4.4).
 */
export async function completeTransfer(
  tx: Tx,
  cause: Cause,
  { domain, label, tld, transfer }: TransferAct,
  state: 'clientApproved' | 'serverApproved',
): Promise<TransferRecord> {
  const { at } = cause;
  const autoRenewed = gracesAt(domain, at).find((grace) => grace.kind === 'autoRenew');
  // The year of the automatic renewal is refunded to the losing registrar; the transfer's own year replaces it.
  if (autoRenewed !== undefined) await refund(tx, cause, autoRenewed.statementId);
  const basis = autoRenewed === undefined ? domain.expiresAt : addYears(domain.expiresAt, -autoRenewed.years);
  const limit = addYears(at, tld.rules.maxPeriodYears);
  const years = tld.transferYears ?? 1;
  const extended = addYears(basis, years);
  const expiresAt = extended > limit ? limit : extended;
  const amount = priceOf(tld, label, 'transfer', 1);
  const paid = await charge(tx, cause.effects, {
    clientId: transfer.requester,
    at,
    command: 'transfer',
    domain: domain.name,
    years,
    amount,
    clTRID: transfer.clTRID,
    svTRID: transfer.svTRID,
    owedAnyway: true,
  });
  await endGraces(tx, domain.id);
  if (tld.graceDays.transfer > 0) {
    const endsAt = addDays(at, tld.graceDays.transfer);
    await addGrace(tx, domain.id, { kind: 'transfer', endsAt, years, statementId: paid.statementId });
  }
  await moveHosts(tx, domain.id, transfer.requester, at);
  const moved = {
    ...domain,
    registrantId: await setParties(tx, domain, transfer.parties),
    keysys: afterTransfer(transfer.parties !== null),
    sponsor: transfer.requester,
    transferredAt: at,
    expiresAt,
    authHash: null,
    phase: 'active',
    phaseUntil: null,
  } as const;
  cause.effects.dueAt.push(await saveDomain(tx, moved));
  const ended = await endTransfer(tx, transfer, { state, at, expiresAt });
  await announceTransfer(tx, cause.effects, ended, domain.name, at);
  return ended;
}
