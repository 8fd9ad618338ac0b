import { type SandboxTld, sandboxTlds } from '@namehold/sandbox/tlds/index';
import { type ContactRole, contactRoles, type TldRules } from '../core/model/tld.ts';
import type { CatalogueEntry } from '../core/tlds/seed.ts';

export const sandboxRegistryId = 'sandbox';

/** The TLDs of the sandbox registry as catalogue entries. */
export function sandboxCatalogue(): CatalogueEntry[] {
  return sandboxTlds.map((served) => ({ name: served.tld, registry: sandboxRegistryId, rules: rulesOf(served) }));
}

function registrationOf({ registration }: SandboxTld): Pick<TldRules, 'registration'> {
  if (!registration) return {};
  const { launch, token, idnTables } = registration;
  return {
    registration: {
      ...(launch ? { launch } : {}),
      ...(token ? { allocation_token: 'required' } : {}),
      ...(idnTables ? { idn_tables: idnTables } : {}),
    },
  };
}

function rulesOf(served: SandboxTld): TldRules {
  const { rules, graceDays } = served;
  const keepsContacts = rules.dataModel === 'maximum' || rules.dataModel === 'per-registrar';
  const known: ContactRole[] = keepsContacts ? ['registrant', ...rules.requiredContacts] : [];
  return {
    periods: { min_years: rules.minPeriodYears, max_years: rules.maxPeriodYears },
    contacts: {
      model: rules.dataModel,
      // A registrant is always required. If the registry stores none, the registrar keeps it (ICANN's minimum data set).
      required: contactRoles.filter((role) => role === 'registrant' || known.includes(role)),
      unused: contactRoles.filter((role) => role !== 'registrant' && !known.includes(role)),
    },
    nameservers: { min: rules.minNameServers, max: rules.maxNameServers, host_model: rules.hostModel },
    dnssec: { records: rules.dnssec, max: served.maxDsRecords },
    extra_schema: served.extra ?? null,
    grace_days: {
      add: graceDays.add,
      renew: graceDays.renew,
      transfer: graceDays.transfer,
      auto_renew: graceDays.autoRenew,
      redemption: graceDays.redemption,
      pending_restore: graceDays.pendingRestore,
      pending_delete: graceDays.pendingDelete,
      pending_transfer: graceDays.pendingTransfer,
      expired_hold: graceDays.expiredHold,
    },
    auto_renew: served.autoRenew,
    ...(served.transferYears === 0 ? { transfer_years: 0 } : {}),
    ...registrationOf(served),
    renewal_lead_days: 15,
    names: { min_length: served.name.minLength, max_length: served.name.maxLength, idn: served.name.idn },
    review_days: served.pendingCreate?.reviewDays ?? null,
    // A registry with document checks requires documents.
    privacy_offered: served.pendingCreate === undefined && !served.forbidsPrivacy,
    privacy_method: 'disclose',
    privacy_proxy: null,
    premium_names: served.premium.length > 0,
    auth_code: {
      min_length: rules.authInfoMinLength,
      max_length: rules.authInfoMaxLength,
      secure: rules.secureAuthInfo === true,
    },
  };
}
