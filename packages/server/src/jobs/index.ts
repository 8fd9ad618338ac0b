import { checkBrandHostsJob } from './check-brand-hosts.ts';
import { checkTargetsJob } from './check-targets.ts';
import { createMissingContactsJob } from './create-missing-contacts.ts';
import { deliverAlarmsJob } from './deliver-alarms.ts';
import { expireApprovalsJob } from './expire-approvals.ts';
import { expireAuthCodesJob } from './expire-auth-codes.ts';
import { expireOrdersJob } from './expire-orders.ts';
import { foldTotals } from './fold-domain-totals.ts';
import { foldSeries } from './fold-series.ts';
import { findLost, followExpiry } from './follow-expiry.ts';
import { followMailTargets } from './follow-mail-targets.ts';
import { followMtaSts } from './follow-mta-sts.ts';
import { invoiceChildren, issueInvoices, retryInvoices } from './issue-invoices.ts';
import { keepPrivacyJob } from './keep-privacy.ts';
import { lateRefunds } from './late-refunds.ts';
import { logAuditHeads } from './log-audit-heads.ts';
import { maintainUsersJob } from './maintain-users.ts';
import { orderCertificatesJob } from './order-certificates.ts';
import { pollRegistries } from './poll-registries.ts';
import { protectNewDomainsJob } from './protect-new-domains.ts';
import { purgeOldJob } from './purge-old.ts';
import { purgeRequestsJob } from './purge-requests.ts';
import { purgeZonesJob } from './purge-zones.ts';
import { recheckUnansweredJob } from './recheck-unanswered.ts';
import { reconcileJob } from './reconcile.ts';
import { compareWatched, reconcileDomains } from './reconcile-domains.ts';
import { remindOfDataJob } from './remind-of-data.ts';
import { remindOfInvoicesJob } from './remind-of-invoices.ts';
import { reportConfirmationsJob } from './report-confirmations.ts';
import { resumeOperations } from './resume-operations.ts';
import type { Job } from './scheduler.ts';
import { sendNotices } from './send-notices.ts';
import { settlePaymentsJob } from './settle-payments.ts';
import { verifyRegistrantsJob } from './verify-registrants.ts';
import { watchJobs } from './watch-jobs.ts';
import { watchOperations } from './watch-operations.ts';
import { watchRefusalsJob } from './watch-refusals.ts';
import { withdrawZonesJob } from './withdraw-zones.ts';

export const jobs: readonly Job[] = [
  resumeOperations,
  pollRegistries,
  followExpiry,
  findLost,
  lateRefunds,
  reconcileDomains,
  compareWatched,
  reconcileJob,
  recheckUnansweredJob,
  watchOperations,
  watchJobs,
  watchRefusalsJob,
  deliverAlarmsJob,
  sendNotices,
  verifyRegistrantsJob,
  reportConfirmationsJob,
  remindOfDataJob,
  expireAuthCodesJob,
  keepPrivacyJob,
  protectNewDomainsJob,
  expireApprovalsJob,
  expireOrdersJob,
  orderCertificatesJob,
  checkTargetsJob,
  followMailTargets,
  followMtaSts,
  issueInvoices,
  retryInvoices,
  invoiceChildren,
  settlePaymentsJob,
  remindOfInvoicesJob,
  foldTotals,
  foldSeries,
  withdrawZonesJob,
  purgeZonesJob,
  maintainUsersJob,
  checkBrandHostsJob,
  purgeRequestsJob,
  createMissingContactsJob,
  logAuditHeads,
  purgeOldJob,
];
