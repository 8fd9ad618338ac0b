import { badField } from '../errors.ts';
import type { TldRules } from '../model/tld.ts';
import type { RegistryCapabilities } from '../ports/registry.ts';

/** Rules of the registry itself are set once, in its profile. A catalogue that contradicts them is refused. */
export function applyCapabilities(
  tld: string,
  rules: TldRules,
  stated: unknown,
  capabilities: RegistryCapabilities,
): TldRules {
  const { hostModel, contactModel, dnssec, authCode } = capabilities;
  const capabilityValues: [path: string, value: string | number | boolean][] = [
    ['nameservers.host_model', hostModel],
    ['contacts.model', contactModel],
    ['dnssec.records', dnssec],
    ['auth_code.min_length', authCode.minLength],
    ['auth_code.max_length', authCode.maxLength],
    ['auth_code.secure', authCode.isSecure],
  ];
  for (const [path, value] of capabilityValues) {
    const claimed = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], stated);
    if (claimed !== undefined && claimed !== value)
      throw badField(
        `${tld}.rules.${path}`,
        `The profile of its registry says ${value}. Leave it out here, or change it there.`,
      );
  }
  return {
    ...rules,
    nameservers: { ...rules.nameservers, host_model: hostModel },
    contacts: { ...rules.contacts, model: contactModel },
    dnssec: { ...rules.dnssec, records: dnssec },
    auth_code: { min_length: authCode.minLength, max_length: authCode.maxLength, secure: authCode.isSecure },
  };
}
