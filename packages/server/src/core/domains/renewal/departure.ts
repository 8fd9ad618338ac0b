import { addDays } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { endRegistryCharge, postRegistryCharge, unpaidRenewalCharges } from '../../ledger/ledger.sql.ts';
import { addYears, type Domain, utcDate } from '../../model/domain.ts';
import { feeMoney } from '../../model/fee-money.ts';
import type { TldRules } from '../../model/tld.ts';
import { statementLimits } from '../../operations/registry-statement.ts';
import type { StatementLine } from '../../ports/registry.ts';
import { completedPurchases, sponsoredSince } from '../end/refunds.sql.ts';
import { costOfYear } from './registry-auto-renewals.ts';

/** What is known about how and when a domain left. Its state at the new registrar is no evidence, because others change it. */
interface Departure {
  /** The registry's statement for the domain name; undefined if there is none or it could not be read. */
  readonly lines: readonly StatementLine[] | undefined;
  /** When it was transferred, by the registry's date. */
  readonly leftAt: Date | undefined;
  readonly now: Date;
}

/**
 * Settles auto-renewals before a domain left: books those that the registry kept and that were not recorded, and ends those that it
 * refunded. Returns how many paid years it refunded; undefined if only dates can show that.
 */
export async function settleRegistryAutoRenewals(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  rules: TldRules,
  departure: Departure,
): Promise<number | undefined> {
  const { lines, leftAt, now } = departure;
  // Right after the domain left, the statement may not show the refund yet, but dates do.
  const isFresh = leftAt !== undefined && now.getTime() - leftAt.getTime() < statementLimits.lagMs;
  if (lines && !isFresh) return byStatement(tx, domain, lines, now);
  await byDates(ctx, tx, domain, rules, departure);
  return undefined;
}

async function byStatement(tx: Tx, domain: Domain, lines: readonly StatementLine[], now: Date): Promise<number> {
  const since = await sponsoredSince(tx, domain.id);
  const kept = keptRenewals(lines).filter(({ at }) => at >= since);
  const unpaid = await unpaidRenewalsSince(tx, domain, since);
  const paid = (await completedPurchases(tx, domain.id)).reduce(
    (years, { outcome }) => years + (outcome?.auto_renewed_years ?? 0),
    0,
  );
  const unbooked = Math.max(0, kept.length - paid - unpaid.length);
  for (const { at, fee } of kept.slice(kept.length - unbooked))
    await postRegistryCharge(tx, now, { domainId: domain.id, period: at, cost: feeMoney(fee), ...about(domain, at) });
  const ended = Math.min(unpaid.length, Math.max(0, unpaid.length + paid - kept.length));
  for (const { id } of unpaid.slice(unpaid.length - ended)) await endRegistryCharge(tx, now, id, 'refunded');
  return Math.max(0, paid + unpaid.length - ended - kept.length);
}

const unpaidRenewalsSince = async (tx: Tx, domain: Domain, since: Date) =>
  (await unpaidRenewalCharges(tx, domain)).filter(({ period }) => period >= since);

const about = (domain: Domain, period: Date) => ({
  description: `Renewal of ${domain.name} by its registry on ${utcDate(period)}`,
});

/** Auto-renewals that the registry has not refunded. A refund ends the latest charge of its amount. */
function keptRenewals(lines: readonly StatementLine[]): readonly StatementLine[] {
  const kept: StatementLine[] = [];
  for (const line of lines.filter(({ command }) => command === 'autorenew')) {
    const charged = line.kind === 'charge' ? -1 : kept.findLastIndex(({ fee }) => fee.amount === line.fee.amount);
    if (line.kind === 'charge') kept.push(line);
    else if (charged >= 0) kept.splice(charged, 1);
  }
  return kept;
}

/** How many of the years since the end of the paid term the registry has kept, if the domain left at that time. */
function keptYears(endDate: Date, leftAt: Date, rules: Pick<TldRules, 'grace_days'>): number {
  let added = 0;
  while (addYears(endDate, added) <= leftAt) added += 1;
  const isOpen = added > 0 && addDays(addYears(endDate, added - 1), rules.grace_days.auto_renew) > leftAt;
  return added - (isOpen ? 1 : 0);
}

async function byDates(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  rules: TldRules,
  { leftAt, now }: Departure,
): Promise<void> {
  const { end_date: endDate } = domain;
  if (!endDate || !rules.auto_renew) return;
  // Without a date, it left at some time since the last view of it here.
  const bounds = leftAt ? [leftAt] : [domain.synced_at ?? endDate, now];
  const [kept, ...others] = bounds.map((at) => keptYears(endDate, at, rules));
  if (kept === undefined || others.some((each) => each !== kept)) return logDoubt(ctx, domain, now);
  const unpaid = await unpaidRenewalsSince(tx, domain, new Date(endDate.getTime() - statementLimits.skewMs));
  for (const { id } of unpaid.slice(kept)) await endRegistryCharge(tx, now, id, 'refunded');
  const cost = unpaid.length < kept ? await costOfYear(tx, domain, now) : undefined;
  if (!cost || cost.amount <= 0n) return;
  for (let year = unpaid.length; year < kept; year += 1) {
    const period = addYears(endDate, year);
    await postRegistryCharge(tx, now, { domainId: domain.id, period, cost, ...about(domain, period) });
  }
}

function logDoubt(ctx: AppContext, domain: Domain, now: Date): void {
  void raiseAlarm(ctx, {
    key: `departure:${domain.id}`,
    severity: 'warning',
    sentence: `${domain.name} left between ${utcDate(domain.synced_at ?? now)} and ${utcDate(now)}, and the registry shows neither a date nor a statement: whether it kept the charge for an auto-renewed year is not known; check its account statement`,
    facts: { domain_id: domain.id, registry_id: domain.registry_id },
  }).catch((raised: unknown) => ctx.log.error({ err: raised }, 'failed to store an alarm'));
}
