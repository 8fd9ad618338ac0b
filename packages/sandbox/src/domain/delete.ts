import type { DomainDeleteRequest, ResponseSpec } from '@namehold/epp';
import { refund } from '../money/charge.ts';
import { addYears } from '../registry/calendar.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { refuseIfProhibited } from '../registry/status.ts';
import { endGraces, purgeDomain, saveDomain } from './domain.sql.ts';
import { lockOwnDomain, refuseIfPending } from './own.ts';
import { gracesAt } from './record.ts';
import { intoRedemption } from './redemption.ts';

/** RFC 5731 3.2.2 and 3915: within the add grace period it is removed at once; later it can be restored for a while. */
export async function deleteDomain(call: Call, command: DomainDeleteRequest): Promise<ResponseSpec> {
  return call.registry.db.transaction(registryTenant, async (tx) => {
    const { domain, tld } = await lockOwnDomain(tx, call, command.name);
    refuseIfPending(domain);
    refuseIfProhibited(domain.statuses, 'Delete');
    if (domain.subordinates.length > 0) {
      refuse(2305, ...domain.subordinates.map((host) => `host ${host} is subordinate to the domain`));
    }
    const graces = gracesAt(domain, call.at);
    for (const grace of graces) await refund(tx, call, grace.statementId);
    if (graces.some((grace) => grace.kind === 'add')) {
      await purgeDomain(tx, domain);
      return { results: [{ code: 1000 }] };
    }
    await endGraces(tx, domain.id);
    // A refunded year is no longer part of the registration.
    const yearsBack = graces.reduce((years, grace) => years + grace.years, 0);
    const shortened = { ...domain, expiresAt: addYears(domain.expiresAt, -yearsBack) };
    const deleted = intoRedemption(tld, shortened, call.at);
    call.effects.dueAt.push(await saveDomain(tx, { ...deleted, updater: call.clientId, updatedAt: call.at }));
    return { results: [{ code: 1001 }] };
  });
}
