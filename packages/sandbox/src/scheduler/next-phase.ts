import { addDays, splitName } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { addGrace, purgeDomain, saveDomain } from '../domain/domain.sql.ts';
import type { DomainRecord } from '../domain/record.ts';
import { backIntoRedemption, intoPendingDelete, intoRedemption } from '../domain/redemption.ts';
import { approveCreate, refuseCreate } from '../domain/review.ts';
import { endOfTerm } from '../keysys/fields.ts';
import { charge } from '../money/charge.ts';
import { priceOf } from '../money/price.ts';
import { enqueue } from '../poll/enqueue.ts';
import { addYears } from '../registry/calendar.ts';
import type { SandboxTld } from '../tlds/index.ts';
import { announceTransfer } from '../transfer/announce.ts';
import { type Cause, endTransfer, latestTransfer } from '../transfer/transfer.sql.ts';

/** The next phase of a domain whose current phase has ended. */
export async function nextPhase(tx: Tx, cause: Cause, domain: DomainRecord, tld: SandboxTld): Promise<void> {
  switch (domain.phase) {
    case 'active':
      return activeEnds(tx, cause, domain, tld);
    case 'pendingCreate':
      return (domain.reviewNote === null ? approveCreate : refuseCreate)(tx, cause, domain);
    case 'expired':
      return redeemable(tx, cause, domain, tld);
    case 'redemption':
      return save(tx, cause, intoPendingDelete(tld, domain, cause.at), 'The redemption period is over.');
    case 'pendingRestore':
      return save(tx, cause, backIntoRedemption(domain, cause.at), 'No restore report came in time.');
    case 'pendingDelete':
      await notifySponsor(tx, cause, domain, 'The domain is deleted.');
      return purgeDomain(tx, domain);
  }
}

/** At an upstream the renewal mode decides, otherwise the rules of the TLD. */
async function activeEnds(tx: Tx, cause: Cause, domain: DomainRecord, tld: SandboxTld): Promise<void> {
  const end = endOfTerm(domain.keysys);
  if (!(end?.renews ?? tld.autoRenew)) return expire(tx, cause, domain, tld);
  return autoRenew(tx, cause, { ...domain, keysys: end?.next ?? null }, tld);
}

async function notifySponsor(tx: Tx, cause: Cause, domain: DomainRecord, text: string): Promise<void> {
  const { effects, at } = cause;
  await enqueue(tx, effects, { clientId: domain.sponsor, at, text: `${domain.name}: ${text}` });
}

async function save(tx: Tx, cause: Cause, domain: DomainRecord, text: string): Promise<void> {
  cause.effects.dueAt.push(await saveDomain(tx, domain));
  await notifySponsor(tx, cause, domain, text);
}

async function autoRenew(tx: Tx, cause: Cause, domain: DomainRecord, tld: SandboxTld): Promise<void> {
  const { at, effects, svTRID } = cause;
  const label = splitName(domain.name, new Set([tld.tld]))?.label ?? domain.name;
  const years = 1;
  const paid = await charge(tx, effects, {
    clientId: domain.sponsor,
    at,
    command: 'autorenew',
    domain: domain.name,
    years,
    amount: priceOf(tld, label, 'renew', years),
    clTRID: null,
    svTRID,
    owedAnyway: true,
  });
  if (tld.graceDays.autoRenew > 0) {
    const endsAt = addDays(at, tld.graceDays.autoRenew);
    await addGrace(tx, domain.id, { kind: 'autoRenew', endsAt, years, statementId: paid.statementId });
  }
  const exDate = addYears(domain.expiresAt, years);
  effects.dueAt.push(await saveDomain(tx, { ...domain, expiresAt: exDate }));
  await enqueue(tx, effects, {
    clientId: domain.sponsor,
    at,
    text: domain.keysys === null ? 'The domain was renewed automatically.' : 'DOMAIN_RENEWAL_SUCCESSFUL',
    data: { object: 'domain', type: 'renData', name: domain.name, exDate },
  });
}

async function expire(tx: Tx, cause: Cause, domain: DomainRecord, tld: SandboxTld): Promise<void> {
  if (tld.graceDays.expiredHold === 0) return redeemable(tx, cause, domain, tld);
  const phaseUntil = addDays(cause.at, tld.graceDays.expiredHold);
  await save(tx, cause, { ...domain, phase: 'expired', phaseUntil }, 'The domain has expired and is on hold.');
}

/** A transfer that is still pending can no longer be executed. */
async function redeemable(tx: Tx, cause: Cause, domain: DomainRecord, tld: SandboxTld): Promise<void> {
  const transfer = domain.transferPending ? await latestTransfer(tx, 'domain', domain.id) : undefined;
  if (transfer !== undefined) {
    const ended = await endTransfer(tx, transfer, { state: 'serverCancelled', at: cause.at, expiresAt: null });
    await announceTransfer(tx, cause.effects, ended, domain.name, cause.at);
  }
  await save(tx, cause, intoRedemption(tld, domain, cause.at), 'The domain is in its redemption period.');
}
