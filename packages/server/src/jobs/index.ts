import { expireApprovals } from '../core/approvals/expire.ts';
import { logAuditHeads } from '../core/audit/log-heads.ts';
import { checkHosts } from '../core/brands/hosts.ts';
import { orderCertificates } from '../core/certificates/order-certificates.ts';
import { createMissingContacts } from '../core/contacts/create-missing.ts';
import { sendAllDue } from '../core/delivery/send.ts';
import { protectOwed } from '../core/domains/buy/protect-new.ts';
import { expireAuthCodes } from '../core/domains/change/auth-code.ts';
import { keepPrivacy } from '../core/domains/change/privacy.ts';
import { findMissingDomains } from '../core/domains/compare/find-missing.ts';
import { updateOrphans } from '../core/domains/compare/orphan.ts';
import { lateRefundsEveryMs, recordLateRefunds } from '../core/domains/end/late-refunds.ts';
import { expireOrders } from '../core/domains/orders/cancel.ts';
import { watchRenewalFunds } from '../core/domains/renewal/watch-renewal-funds.ts';
import { checkTargets } from '../core/forwarding/check-targets.ts';
import { purgeWebForwarding } from '../core/forwarding/purge.ts';
import { closeMonths } from '../core/invoices/children.ts';
import { issueDue } from '../core/invoices/issue.ts';
import { remindOfInvoices } from '../core/invoices/remind.ts';
import { retryWaiting } from '../core/invoices/waiting.ts';
import { watchJobs } from '../core/jobs/watch-jobs.ts';
import { processMailTargets } from '../core/mail-forwarding/process-targets.ts';
import { purgeMailForwarding } from '../core/mail-forwarding/purge.ts';
import { updateMtaSts } from '../core/mail-forwarding/update-mta-sts.ts';
import { settlePayments } from '../core/payments/settle.ts';
import { watchUpstreamPrices } from '../core/pricing/watch-upstream-prices.ts';
import { recheckOrders } from '../core/reconciliation/recheck-orders.ts';
import { reconciliationJob } from '../core/reconciliation/request-verify.ts';
import { runReconciliation } from '../core/reconciliation/run-scheduled.ts';
import { watchRefusals } from '../core/refusals/count.ts';
import { carryOutConfirmed } from '../core/registrant-change/carry-out.ts';
import { expireOvertaken } from '../core/registrant-change/overtaken.ts';
import { purgeBudgets } from '../core/requests/purge.ts';
import { purgeOld } from '../core/retention/purge.ts';
import { rollUpDomainMonths } from '../core/series/domain-counts.ts';
import { rollUpResponseTimes } from '../core/series/roll-up-response-times.ts';
import { rollUpTotals } from '../core/series/roll-up-totals.ts';
import { carryOutResets } from '../core/users/factor-reset.ts';
import { purgeSessions } from '../core/users/purge-sessions.ts';
import { sendRecoveryCodes } from '../core/users/recovery.ts';
import { processVerifications } from '../core/verification/process-verifications.ts';
import { remindOfData } from '../core/verification/remind-of-data.ts';
import { reportToRegistries } from '../core/verification/report-to-registries.ts';
import { purgeZones, withdrawZones } from '../core/zones/life/withdraw.ts';
import { deliverAlarms } from './deliver-alarms.ts';
import { pollRegistries } from './poll-registries.ts';
import { processExpiry } from './process-expiry.ts';
import { compareWatched, reconcileDomains, reconcileEveryMs } from './reconcile-domains.ts';
import { resumeOperations } from './resume-operations.ts';
import { inOrder, type Job } from './scheduler.ts';
import { watchOperations } from './watch-operations.ts';

interface ListedJob extends Job {
  /** For the documents. */
  readonly description: string;
}

/** Every background job. Each runs in all processes, so its function must be safe in several of them at once. */
export const jobs: readonly ListedJob[] = [
  { name: 'resume-operations', everyMs: 1_000, run: resumeOperations, description: 'resumes unfinished operations' },
  {
    name: 'poll-registries',
    everyMs: 60_000,
    run: pollRegistries,
    description: 'reads the poll messages of registries',
  },
  {
    name: 'process-expiry',
    everyMs: 30_000,
    run: processExpiry,
    description:
      'sends expiry reminders, places auto-renew orders and applies the other renewal modes, and deletes unpaid domains',
  },
  {
    name: 'find-missing-domains',
    everyMs: 300_000,
    run: inOrder(findMissingDomains, updateOrphans),
    description: 'checks missing and orphaned domains, each at most once a day',
  },
  {
    name: 'record-late-refunds',
    everyMs: lateRefundsEveryMs,
    run: recordLateRefunds,
    description: 'books refunds that the registry reports after a deletion',
  },
  {
    name: 'reconcile-domains',
    everyMs: reconcileEveryMs,
    run: reconcileDomains,
    description: 'compares every domain with its registry',
  },
  {
    // Its own job, so that a long slice of other domains does not delay watched ones.
    name: 'compare-watched',
    everyMs: reconcileEveryMs,
    run: compareWatched,
    description: 'compares watched domains with their registries',
  },
  {
    name: reconciliationJob,
    everyMs: 600_000,
    recheckAfterMs: 10_000,
    run: runReconciliation,
    description: 'runs the daily [reconciliation](reconciliation.md)',
  },
  {
    name: 'recheck-orders',
    everyMs: 30_000,
    run: recheckOrders,
    description: 'checks orders with unanswered commands again',
  },
  {
    name: 'watch-operations',
    everyMs: 60_000,
    run: watchOperations,
    description: 'raises alarms for stuck operations, and for certificates and passwords of registries that expire',
  },
  {
    name: 'watch-renewal-funds',
    everyMs: 600_000,
    run: watchRenewalFunds,
    description: 'compares the balance at each upstream with the costs of automatic renewals in the next 14 days',
  },
  {
    name: 'watch-upstream-prices',
    everyMs: 600_000,
    run: watchUpstreamPrices,
    description: 'compares the price list of each upstream with our costs once a day',
  },
  { name: 'watch-jobs', everyMs: 60_000, run: watchJobs, description: 'raises alarms for stalled and failing jobs' },
  {
    name: 'watch-refusals',
    everyMs: 30_000,
    run: watchRefusals,
    description: 'raises alarms for resellers with many refused requests',
  },
  {
    name: 'deliver-alarms',
    everyMs: 5_000,
    run: deliverAlarms,
    description: 'runs `NAMEHOLD_ALARM_COMMAND` for new alarms',
  },
  { name: 'send-notices', everyMs: 1_000, run: sendAllDue, description: 'sends mail' },
  {
    name: 'verify-registrants',
    everyMs: 30_000,
    run: processVerifications,
    description: 'reminds registrants to confirm their address, and sets and removes the hold without it',
  },
  {
    name: 'report-confirmations',
    everyMs: 30_000,
    run: reportToRegistries,
    description: 'reports confirmations of registrants to registries',
  },
  {
    name: 'send-data-reminders',
    everyMs: 300_000,
    run: remindOfData,
    description: 'sends the yearly reminder of registration data',
  },
  {
    name: 'expire-auth-codes',
    everyMs: 60_000,
    run: expireAuthCodes,
    description: 'removes expired auth codes at the registry',
  },
  {
    name: 'sync-privacy',
    everyMs: 60_000,
    run: keepPrivacy,
    description: 'starts and ends privacy protection at the registry',
  },
  {
    name: 'protect-new-domains',
    everyMs: 60_000,
    run: protectOwed,
    description: 'sets theft protection on new domains',
  },
  {
    name: 'expire-approvals',
    everyMs: 60_000,
    run: inOrder(carryOutConfirmed, expireOvertaken, expireApprovals),
    description: 'carries out confirmed changes of registrant, and expires approvals',
  },
  {
    name: 'expire-orders',
    everyMs: 60_000,
    run: expireOrders,
    description: 'cancels orders that were not paid in time',
  },
  {
    name: 'order-certificates',
    everyMs: 500,
    run: orderCertificates,
    description: 'orders and renews certificates of forwarded domains',
  },
  {
    name: 'check-targets',
    everyMs: 2_000,
    run: checkTargets,
    description: 'checks that targets of web forwarding resolve, and that masked targets allow framing',
  },
  {
    name: 'confirm-mail-targets',
    everyMs: 30_000,
    run: processMailTargets,
    description: 'requests the consent of mail targets',
  },
  {
    name: 'update-mta-sts',
    everyMs: 30_000,
    run: updateMtaSts,
    description: 'enforces and withdraws MTA-STS policies',
  },
  { name: 'issue-invoices', everyMs: 1_000, run: issueDue, description: 'issues the documents of bills' },
  {
    name: 'retry-invoices',
    everyMs: 60_000,
    run: retryWaiting,
    description: 'retries invoices that wait for a tax rate',
  },
  {
    name: 'invoice-sub-resellers',
    everyMs: 60_000,
    run: closeMonths,
    description: 'issues monthly invoices to sub-resellers',
  },
  { name: 'settle-payments', everyMs: 15_000, run: settlePayments, description: 'pays bills whose money has arrived' },
  {
    name: 'send-invoice-reminders',
    everyMs: 600_000,
    run: remindOfInvoices,
    description: 'reminds of unpaid invoices',
  },
  { name: 'roll-up-totals', everyMs: 60_000, run: rollUpTotals, description: 'rolls up the totals of lists' },
  {
    name: 'roll-up-series',
    everyMs: 60_000,
    run: inOrder(rollUpDomainMonths, rollUpResponseTimes),
    description: 'rolls up the time series of charts',
  },
  {
    name: 'withdraw-zones',
    everyMs: 60_000,
    run: inOrder(purgeWebForwarding, purgeMailForwarding, withdrawZones),
    description: 'withdraws zones of domains that left',
  },
  { name: 'purge-zones', everyMs: 3_600_000, run: purgeZones, description: 'purges zone tombstones' },
  {
    name: 'process-recovery',
    everyMs: 2_000,
    run: inOrder(sendRecoveryCodes, carryOutResets),
    description: 'sends recovery links, and applies two-factor resets after their waiting time',
  },
  {
    name: 'check-brand-hosts',
    everyMs: 60_000,
    run: checkHosts,
    description: 'checks that hosts of brands are proven and respond',
  },
  {
    name: 'purge-sessions',
    everyMs: 60_000,
    run: inOrder(purgeBudgets, purgeSessions),
    description: 'purges unused rate-limit budgets and ended sessions',
  },
  {
    name: 'create-missing-contacts',
    everyMs: 10_000,
    run: createMissingContacts,
    description: 'creates the first contacts of customers',
  },
  {
    name: 'log-audit-heads',
    everyMs: 3_600_000,
    run: logAuditHeads,
    description: 'logs the heads of the audit chains',
  },
  {
    name: 'purge-old-rows',
    everyMs: 3_600_000,
    run: purgeOld,
    description: 'purges rows after their retention time',
  },
];
