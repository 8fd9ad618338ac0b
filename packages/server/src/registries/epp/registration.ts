import { displayName } from '@namehold/base';
import type { DomainCheckRequest, DomainCreateRequest, LaunchCheckAnswer, LaunchCreate } from '@namehold/epp';
import type { DomainOrder, RegistrationData } from '../../core/ports/registry.ts';
import type { Sender } from './driver.ts';

/** Extensions of an order, as far as the registry supports them. */
export function registrationExtensions(s: Sender, order: DomainOrder): NonNullable<DomainCreateRequest['ext']> {
  const { idn, allocationToken, launch } = s.profile.namespaces;
  const given = order.registration ?? {};
  const phase = launch && launchOf(given);
  return {
    ...(given.idnTable && idn ? { idn: { table: given.idnTable, uname: displayName(order.name) } } : {}),
    ...(given.allocationToken && allocationToken ? { allocationToken: given.allocationToken } : {}),
    ...(phase ? { launch: phase } : {}),
  };
}

function launchOf({ claims, signedMark }: RegistrationData): LaunchCreate | undefined {
  if (signedMark) return { phase: { phase: 'sunrise' }, encodedSignedMarks: [signedMark] };
  if (!claims) return undefined;
  const { validator: validatorId, ...notice } = claims;
  return { phase: { phase: 'claims' }, notices: [{ ...notice, ...(validatorId ? { validatorId } : {}) }] };
}

export const claimsQuestion = (name: string): DomainCheckRequest => ({
  object: 'domain',
  verb: 'check',
  names: [name],
  ext: { launch: { type: 'claims', phase: { phase: 'claims' } } },
});

export const claimKeys = (answer: LaunchCheckAnswer | undefined): string[] =>
  answer?.items.flatMap(({ claimKeys: keys }) => keys.map(({ key }) => key)) ?? [];
