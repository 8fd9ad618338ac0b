import type { CheckItem, DomainCheckRequest, ResponseSpec } from '@namehold/epp';
import { feeCheck } from '../money/fee-check.ts';
import { nameFault } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { takenNames } from './domain.sql.ts';
import { claimsAnswer } from './registration.ts';

/** RFC 5731 3.1.1. */
export async function checkDomains(call: Call, command: DomainCheckRequest): Promise<ResponseSpec> {
  // RFC 8334 3.1.1: the claims form returns claims and not the availability.
  if (command.ext?.launch !== undefined) {
    const launchCheck = claimsAnswer(call.registry.tlds, command.ext.launch, command.names);
    return { results: [{ code: 1000 }], ext: { launchCheck } };
  }
  if (command.names.length > call.registry.endpoint.maxNamesPerCheck) {
    refuse(2004, `at most ${call.registry.endpoint.maxNamesPerCheck} names a check`);
  }
  const names = command.names.map((name) => name.toLowerCase());
  const taken = await takenNames(call.registry.db.as(registryTenant), names, call.at);
  const items = command.names.map((id): CheckItem => {
    const reason = taken.has(id.toLowerCase()) ? 'In use' : nameFault(call.registry.tlds, id);
    return reason === undefined
      ? { id, available: true }
      : { id, available: false, reason: reason.slice(0, maxReason) };
  });
  const feeRequest = command.ext?.fee;
  return {
    results: [{ code: 1000 }],
    data: { object: 'domain', type: 'chkData', items },
    ...(feeRequest === undefined
      ? {}
      : {
          ext: {
            feeCheck: feeCheck(call.registry.tlds, feeRequest, command.names, (name) => taken.get(name)?.expired),
          },
        }),
  };
}

/** RFC 5731 4 (reasonType): 32 characters. */
const maxReason = 32;
