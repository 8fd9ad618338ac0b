import { addDays } from '@namehold/base';
import type { DomainRenewRequest, ResponseSpec } from '@namehold/epp';
import { fieldsOf } from '../keysys/fields.ts';
import { refuseUnlessAgreed } from '../money/agree.ts';
import { charge } from '../money/charge.ts';
import { feeAnswer } from '../money/fee-answer.ts';
import { priceOf } from '../money/price.ts';
import { addYears, utcDate } from '../registry/calendar.ts';
import { readYears } from '../registry/period.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { refuseIfProhibited } from '../registry/status.ts';
import { addGrace, saveDomain } from './domain.sql.ts';
import { lockOwnDomain, refuseIfPending } from './own.ts';

/** RFC 5731 3.2.3. */
export async function renewDomain(call: Call, command: DomainRenewRequest): Promise<ResponseSpec> {
  return call.registry.db.transaction(registryTenant, async (tx) => {
    const { domain, label, tld } = await lockOwnDomain(tx, call, command.name);
    if (fieldsOf(call, command) && call.registry.endpoint.keysys?.renewsByMode.includes(tld.tld))
      refuse(2102, `.${tld.tld} has no explicit renewal`);
    const years = readYears(tld, command.period);
    refuseIfPending(domain);
    refuseIfProhibited(domain.statuses, 'Renew');
    // RFC 5731 3.2.3: the date prevents a repeated renew from renewing twice.
    if (command.curExpDate !== utcDate(domain.expiresAt)) {
      refuse(2306, `curExpDate is ${command.curExpDate}, the domain expires on ${utcDate(domain.expiresAt)}`);
    }
    const expiresAt = addYears(domain.expiresAt, years);
    if (expiresAt > addYears(call.at, tld.rules.maxPeriodYears)) {
      refuse(2105, `a registration may end at most ${tld.rules.maxPeriodYears} years ahead`);
    }
    const price = priceOf(tld, label, 'renew', years);
    refuseUnlessAgreed(tld, label, 'renew', price, command.ext?.fee);
    const paid = await charge(tx, call.effects, {
      ...call,
      command: 'renew',
      domain: domain.name,
      years,
      amount: price,
    });
    if (tld.graceDays.renew > 0) {
      const endsAt = addDays(call.at, tld.graceDays.renew);
      await addGrace(tx, domain.id, { kind: 'renew', endsAt, years, statementId: paid.statementId });
    }
    const renewed = { ...domain, expiresAt, phase: 'active', phaseUntil: null } as const;
    call.effects.dueAt.push(await saveDomain(tx, { ...renewed, updater: call.clientId, updatedAt: call.at }));
    return {
      results: [{ code: 1000 }],
      data: { object: 'domain', type: 'renData', name: domain.name, exDate: expiresAt },
      ...(command.ext?.fee === undefined ? {} : { ext: { fee: feeAnswer(tld, 'renew', years, price, paid) } }),
    };
  });
}
