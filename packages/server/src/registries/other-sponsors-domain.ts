import type { RegistryDomain } from '../core/ports/registry.ts';

/** A domain that the registry shows only to its sponsor. */
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
