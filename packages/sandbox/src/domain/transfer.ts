import { addDays } from '@namehold/base';
import type { DomainTransferRequest, ResponseSpec } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import { partiesOf } from '../keysys/fields.ts';
import { requireParties } from '../keysys/parties.ts';
import { refuseUnlessAgreed } from '../money/agree.ts';
import { refuseUnlessFunded } from '../money/balance.ts';
import { feeAnswer } from '../money/fee-answer.ts';
import { priceOf } from '../money/price.ts';
import { addYears } from '../registry/calendar.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { refuseIfProhibited } from '../registry/status.ts';
import { announceTransfer, transferData } from '../transfer/announce.ts';
import { endTransfer, latestTransfer, openTransfer, type TransferRecord } from '../transfer/transfer.sql.ts';
import { completeTransfer } from './complete-transfer.ts';
import { knowsAuthInfo } from './info.ts';
import { lockExistingDomain, type OwnDomain, refuseIfPending } from './own.ts';
import { gracesAt } from './record.ts';

/** RFC 5731 3.1.3 and 3.2.4. */
export async function transferDomain(call: Call, command: DomainTransferRequest): Promise<ResponseSpec> {
  return call.registry.db.transaction(registryTenant, async (tx) => {
    const known = await lockExistingDomain(tx, call, command.name);
    switch (command.op) {
      case 'request':
        return requestTransfer(tx, call, command, known);
      case 'query':
        return queryTransfer(tx, call, command, known);
      case 'cancel':
        return cancelTransfer(tx, call, known);
      case 'approve':
      case 'reject':
        return decideTransfer(tx, call, command.op, known);
    }
  });
}

const answer = (code: number, transfer: TransferRecord, name: string): ResponseSpec => ({
  results: [{ code }],
  data: transferData(transfer, name),
});

/** CentralNic Reseller names no losing registrar, and no date for its answer. */
function pendingAnswer({ registry }: Call, code: number, transfer: TransferRecord, name: string): ResponseSpec {
  const isUnknown = registry.endpoint.keysys !== undefined && transfer.state === 'pending';
  return answer(code, isUnknown ? { ...transfer, actor: 'unknown', actedAt: noDate, expiresAt: null } : transfer, name);
}

const noDate = new Date('0001-01-01T00:00:00Z');

async function requestTransfer(tx: Tx, call: Call, command: DomainTransferRequest, known: OwnDomain) {
  const { domain, label, tld, name } = known;
  if (domain.sponsor === call.clientId) refuse(2106, `${name} is already sponsored by you`);
  if (domain.transferPending) refuse(2300, `a transfer of ${name} is pending`);
  refuseIfPending(domain);
  refuseIfProhibited(domain.statuses, 'Transfer');
  if (command.authInfo === undefined) refuse(2003, 'authInfo is missing');
  if (!(await knowsAuthInfo(call, domain, command.authInfo))) refuse(2202, 'the authInfo does not match');
  const { period } = command;
  const years = tld.transferYears ?? 1;
  if (period !== undefined && years === 0) refuse(2306, 'a transfer adds no year');
  if (period !== undefined && !(period.unit === 'y' ? period.value === 1 : period.value === 12)) {
    refuse(2004, 'a transfer adds one year');
  }
  const autoRenewed = gracesAt(domain, call.at).some((grace) => grace.kind === 'autoRenew');
  const expiresAt = autoRenewed ? domain.expiresAt : addYears(domain.expiresAt, years);
  if (expiresAt > addYears(call.at, tld.rules.maxPeriodYears)) {
    refuse(2105, `a registration may end at most ${tld.rules.maxPeriodYears} years ahead`);
  }
  const price = priceOf(tld, label, 'transfer', 1);
  refuseUnlessAgreed(tld, label, 'transfer', price, command.ext?.fee);
  const parties = partiesOf(call, command);
  await requireParties(tx, parties);
  const funds = await refuseUnlessFunded(tx, call.clientId, price);
  const transfer = await openTransfer(tx, call, {
    object: 'domain',
    objectId: domain.id,
    actor: domain.sponsor,
    autoApprovedAt: addDays(call.at, tld.graceDays.pendingTransfer),
    expiresAt,
    parties,
  });
  await announceTransfer(tx, call.effects, transfer, name, call.at);
  const fee = command.ext?.fee === undefined ? {} : { ext: { fee: feeAnswer(tld, 'transfer', 1, price, funds) } };
  return { ...pendingAnswer(call, 1001, transfer, name), ...fee };
}

async function queryTransfer(tx: Tx, call: Call, command: DomainTransferRequest, { domain, name }: OwnDomain) {
  const transfer = await latestTransfer(tx, 'domain', domain.id);
  const involved = [domain.sponsor, transfer?.requester, transfer?.actor].includes(call.clientId);
  if (command.authInfo !== undefined && !involved && !(await knowsAuthInfo(call, domain, command.authInfo))) {
    refuse(2202, 'the authInfo does not match');
  }
  if (!involved && command.authInfo === undefined) refuse(2201, `${name} is another registrar's`);
  if (transfer === undefined) refuse(2301, `no transfer of ${name} is known`);
  return pendingAnswer(call, 1000, transfer, name);
}

async function pendingTransfer(tx: Tx, { domain, name }: OwnDomain): Promise<TransferRecord> {
  const transfer = await latestTransfer(tx, 'domain', domain.id);
  if (transfer?.state !== 'pending') refuse(2301, `no transfer of ${name} is pending`);
  return transfer;
}

async function cancelTransfer(tx: Tx, call: Call, known: OwnDomain) {
  const transfer = await pendingTransfer(tx, known);
  if (transfer.requester !== call.clientId) refuse(2201, 'only the requesting registrar may cancel the transfer');
  return endWithoutTransfer(tx, call, known, transfer, 'clientCancelled');
}

async function decideTransfer(tx: Tx, call: Call, op: 'approve' | 'reject', known: OwnDomain) {
  const { domain, label, tld, name } = known;
  if (domain.sponsor !== call.clientId) refuse(2201, `${name} is another registrar's`);
  const transfer = await pendingTransfer(tx, known);
  if (op === 'reject') return endWithoutTransfer(tx, call, known, transfer, 'clientRejected');
  return answer(1000, await completeTransfer(tx, call, { domain, label, tld, transfer }, 'clientApproved'), name);
}

async function endWithoutTransfer(
  tx: Tx,
  call: Call,
  { name }: OwnDomain,
  transfer: TransferRecord,
  state: 'clientCancelled' | 'clientRejected',
) {
  const ended = await endTransfer(tx, transfer, { state, at: call.at, expiresAt: null });
  await announceTransfer(tx, call.effects, ended, name, call.at);
  return answer(1000, ended, name);
}
