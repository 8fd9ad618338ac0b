import { ALL_NAMESPACES, CAUTIOUS_PROFILE, type RegistryProfile } from '@namehold/epp';

/** A profile file says only what differs from the cautious defaults; `"namespaces": "all"` stands for everything we have a codec for. */
export function readProfile(json: string, id: string): RegistryProfile {
  const given = JSON.parse(json) as Partial<Omit<RegistryProfile, 'namespaces'>> & {
    namespaces?: RegistryProfile['namespaces'] | 'all';
  };
  const base = CAUTIOUS_PROFILE;
  return {
    ...base,
    ...given,
    id,
    namespaces: given.namespaces === 'all' ? ALL_NAMESPACES : { ...base.namespaces, ...given.namespaces },
    rules: { ...base.rules, ...given.rules },
    limits: { ...base.limits, ...given.limits },
    timeouts: { ...base.timeouts, ...given.timeouts },
  };
}
