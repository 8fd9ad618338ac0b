import { checkTargetsJob } from './check-targets.ts';
import type { Job } from './clockwork.ts';
import { expireAuthCodesJob } from './expire-auth-codes.ts';
import { foldTotals } from './fold-domain-totals.ts';
import { foldSeries } from './fold-series.ts';
import { findLost, followExpiry } from './follow-expiry.ts';
import { followMailTargets } from './follow-mail-targets.ts';
import { followMtaSts } from './follow-mta-sts.ts';
import { forgetOldJob } from './forget-old.ts';
import { forgetRequests } from './forget-requests.ts';
import { invoiceChildren, issueInvoices, retryInvoices } from './issue-invoices.ts';
import { keepPrivacyJob } from './keep-privacy.ts';
import { lapseApprovalsJob } from './lapse-approvals.ts';
import { lapseOrdersJob } from './lapse-orders.ts';
import { lateRefunds } from './late-refunds.ts';
import { logAuditHeads } from './log-audit-heads.ts';
import { lookAfterPeople } from './look-after-people.ts';
import { lookAgain } from './look-again.ts';
import { lookAtHostsJob } from './look-at-hosts.ts';
import { makeOwedContactsJob } from './make-owed-contacts.ts';
import { orderCertificatesJob } from './order-certificates.ts';
import { pollRegistries } from './poll-registries.ts';
import { protectNewNames } from './protect-new-names.ts';
import { purgeZonesJob } from './purge-zones.ts';
import { compareWatched, reconcileDomains } from './reconcile-domains.ts';
import { remindOfDataJob } from './remind-of-data.ts';
import { remindOfInvoicesJob } from './remind-of-invoices.ts';
import { resumeOperations } from './resume-operations.ts';
import { sendNotices } from './send-notices.ts';
import { settlePaymentsJob } from './settle-payments.ts';
import { tellAlarms } from './tell-alarms.ts';
import { tellConfirmations } from './tell-confirmations.ts';
import { verifyBooks } from './verify-books.ts';
import { verifyHolders } from './verify-holders.ts';
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
  verifyBooks,
  lookAgain,
  watchOperations,
  watchJobs,
  watchRefusalsJob,
  tellAlarms,
  sendNotices,
  verifyHolders,
  tellConfirmations,
  remindOfDataJob,
  expireAuthCodesJob,
  keepPrivacyJob,
  protectNewNames,
  lapseApprovalsJob,
  lapseOrdersJob,
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
  lookAfterPeople,
  lookAtHostsJob,
  forgetRequests,
  makeOwedContactsJob,
  logAuditHeads,
  forgetOldJob,
];
