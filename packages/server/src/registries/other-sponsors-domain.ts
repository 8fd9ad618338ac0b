import type { RegistryDomain } from '../core/domains/registry/registry.ts';

/** A name that is shown to its sponsor alone. */
export const otherSponsorsDomain = (name: string): RegistryDomain => ({
  name,
  sponsor: null,
  isOurs: false,
  createdAt: null,
  updatedAt: null,
  expiresAt: null,
  transferredAt: null,
  statuses: [],
  rgpStatuses: [],
  registrant: null,
  contacts: {},
  nameservers: [],
  hosts: [],
  ds: [],
});
