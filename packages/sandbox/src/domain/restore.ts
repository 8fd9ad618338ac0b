import { addDays } from '@namehold/base';
import type { DomainUpdateRequest, ResponseSpec, RgpRestore } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import { refuseUnlessAgreed } from '../money/agree.ts';
import { charge, type Paid } from '../money/charge.ts';
import { feeAnswer } from '../money/fee-answer.ts';
import { priceOf } from '../money/price.ts';
import { enqueue } from '../poll/enqueue.ts';
import { addYears } from '../registry/calendar.ts';
import { refuse } from '../registry/refusal.ts';
import type { Call } from '../registry/registry.ts';
import { saveDomain } from './domain.sql.ts';
import type { OwnDomain } from './own.ts';
import { rgpAnswer } from './view.ts';

/** Verisign's rgp-poll: a restore was requested, and the date until which its report is due. */
async function notifyRestore(tx: Tx, call: Call, name: string, reportDueAt: Date): Promise<void> {
  await enqueue(tx, call.effects, {
    clientId: call.clientId,
    at: call.at,
    text: 'Restore Request Pending',
    data: {
      object: 'rgpPoll',
      type: 'pollData',
      name,
      status: { value: 'pendingRestore' },
      requestedAt: call.at,
      reportDueAt,
    },
  });
}

/** RFC 3915 4.2.5: a restore is an update that changes nothing else. */
export async function restoreDomain(
  tx: Tx,
  call: Call,
  command: DomainUpdateRequest,
  own: OwnDomain,
  restore: RgpRestore,
): Promise<ResponseSpec> {
  const { add, rem, chg, ext } = command;
  if (add !== undefined || rem !== undefined || changesSomething(chg) || ext?.secDNS !== undefined) {
    refuse(2306, 'a restore changes nothing else');
  }
  return restore.op === 'request' ? requestRestore(tx, call, own, ext?.fee) : reportRestore(tx, call, own);
}

const changesSomething = (chg: DomainUpdateRequest['chg']): boolean =>
  chg?.registrant !== undefined || chg?.authInfo !== undefined;

const alive = { phase: 'active', phaseUntil: null, redemptionUntil: null } as const;

type AgreedFee = NonNullable<DomainUpdateRequest['ext']>['fee'];

async function requestRestore(tx: Tx, call: Call, own: OwnDomain, fee: AgreedFee): Promise<ResponseSpec> {
  const { domain, tld, label } = own;
  if (domain.phase !== 'redemption') refuse(2304, `${domain.name} is not in its redemption period`);
  // Expired before or during its deletion: the restore adds and charges one more year.
  const expired = domain.expiresAt <= call.at;
  const restorePrice = priceOf(tld, label, 'restore', 1);
  const renewPrice = expired ? priceOf(tld, label, 'renew', 1) : 0n;
  refuseUnlessAgreed(tld, label, 'restore', restorePrice + renewPrice, fee);
  const line = { ...call, domain: domain.name };
  let paid: Paid = await charge(tx, call.effects, { ...line, command: 'restore', years: 0, amount: restorePrice });
  if (expired) paid = await charge(tx, call.effects, { ...line, command: 'renew', years: 1, amount: renewPrice });
  const { pendingRestore: reportDays } = tld.graceDays;
  const awaited = { phase: 'pendingRestore', phaseUntil: addDays(call.at, reportDays) } as const;
  const restoring = {
    ...domain,
    expiresAt: expired ? addYears(domain.expiresAt, 1) : domain.expiresAt,
    ...(reportDays > 0 ? awaited : alive),
    updater: call.clientId,
    updatedAt: call.at,
  };
  call.effects.dueAt.push(await saveDomain(tx, restoring));
  if (tld.notifiesRestore && reportDays > 0) await notifyRestore(tx, call, domain.name, awaited.phaseUntil);
  const rgp = rgpAnswer(restoring, call.at);
  return {
    results: [{ code: 1000 }],
    ext: {
      ...(rgp.statuses.length > 0 ? { rgp } : {}),
      ...(fee === undefined ? {} : { fee: feeAnswer(tld, 'restore', 1, restorePrice + renewPrice, paid) }),
    },
  };
}

async function reportRestore(tx: Tx, call: Call, { domain }: OwnDomain): Promise<ResponseSpec> {
  if (domain.phase !== 'pendingRestore') refuse(2304, `${domain.name} awaits no restore report`);
  const restored = {
    ...domain,
    ...alive,
    updater: call.clientId,
    updatedAt: call.at,
  };
  call.effects.dueAt.push(await saveDomain(tx, restored));
  return { results: [{ code: 1000 }] };
}
