import { ALL_NAMESPACES, NAMESTORE, type Namespaces } from '@namehold/epp';
import { sandboxLimits } from '../tlds/index.ts';
import { genericGrace } from '../tlds/shared.ts';
import type { RegistrySystem } from './system.ts';

export type { RegistrySystem } from './system.ts';

const { epp, domain, host, contact, secDNS, rgp, fee, loginSec, launch, idn } = ALL_NAMESPACES;
const {
  changePoll,
  maintenance,
  allocationToken,
  unhandledNamespaces,
  rgpPoll,
  lowBalancePoll,
  balance,
  sync,
  keysys,
} = ALL_NAMESPACES;

/** RFC 5730 to 5733. */
const plain: Namespaces = { epp, domain, host, contact };
/** The extensions that nearly all registries of ICANN's TLDs add. */
const delegated = { secDNS, rgp } as const;
/** The system behind .info, .org and many others. */
const shared = { ...delegated, loginSec, launch, idn, changePoll, unhandledNamespaces, maintenance } as const;

const usual = {
  otherExtensionURIs: [],
  maxNamesPerCheck: sandboxLimits.maxNamesPerCheck,
  idleMs: sandboxLimits.idleMs,
} as const;

/** A registry that still uses a draft of the fee extension (RFC 8748). */
const draftOfFees = (draft: string, tld: string): RegistrySystem => ({
  ...usual,
  name: `fee-${draft.replace('.', '-')}`,
  svID: `Sandbox of a registry with the fee draft ${draft}`,
  clientId: `nh-fee-${draft.replace('.', '-')}`,
  namespaces: { ...plain, ...delegated, fee: `urn:ietf:params:xml:ns:fee-${draft}` },
  tlds: [tld],
});

/** Registries that a registrar meets, with their differences. */
export const sandboxSystems: readonly RegistrySystem[] = [
  {
    ...usual,
    name: 'verisign',
    svID: 'Sandbox of a registry like Verisign',
    clientId: 'nh-verisign',
    namespaces: {
      ...{ epp, domain, host, ...delegated, loginSec, changePoll, launch, unhandledNamespaces },
      ...{ sync, rgpPoll, lowBalancePoll, balance, idn: 'http://www.verisign.com/epp/idnLang-1.0' },
    },
    otherExtensionURIs: [NAMESTORE.uri],
    tlds: ['com', 'net'],
    policy: { notifiesRestore: true },
  },
  {
    ...usual,
    name: 'nomulus',
    svID: 'Sandbox of a registry like Nomulus',
    clientId: 'nh-nomulus',
    namespaces: { epp, domain, host, ...delegated, fee, launch, allocationToken },
    tlds: ['app'],
    idleMs: 3_600_000,
  },
  {
    ...usual,
    name: 'identity-digital',
    svID: 'Sandbox of a registry like Identity Digital',
    clientId: 'nh-identity',
    namespaces: { ...plain, ...shared, fee },
    tlds: ['info'],
  },
  {
    ...usual,
    name: 'publicinterest',
    svID: 'Sandbox of a registry like PIR',
    clientId: 'nh-pir',
    namespaces: { ...plain, ...shared },
    tlds: ['org'],
  },
  {
    ...usual,
    name: 'centralnic',
    svID: 'Sandbox of a registry like CentralNic',
    clientId: 'nh-centralnic',
    namespaces: {
      ...plain,
      ...{ ...delegated, fee, loginSec, launch, idn, allocationToken, unhandledNamespaces, maintenance },
    },
    tlds: ['shop'],
    // A maximum data set: the registrant and a technical contact, and no other.
    rules: { requiredContacts: ['tech'], sentContacts: ['tech'] },
  },
  {
    ...usual,
    name: 'pandi',
    svID: 'Sandbox of a registry like PANDI',
    clientId: 'nh-pandi',
    namespaces: { ...plain, ...delegated },
    tlds: ['id', 'co.id', 'web.id', 'my.id'],
  },
  {
    ...usual,
    name: 'generic-rfc',
    svID: 'Sandbox of a registry with RFC 5730 to 5734 only',
    clientId: 'nh-generic',
    namespaces: plain,
    tlds: ['biz'],
    // Grace periods are RFC 3915: a registry without it refunds nothing.
    policy: { graceDays: { ...genericGrace, add: 0, renew: 0, transfer: 0 } },
    maxNamesPerCheck: 5,
  },
  {
    ...usual,
    name: 'centralnic-reseller',
    svID: 'Sandbox of an upstream like CentralNic Reseller',
    clientId: 'nh-reseller',
    namespaces: { ...plain, ...delegated, fee: 'urn:ietf:params:xml:ns:fee-0.7', keysys },
    // TLDs of other registries, which it resells.
    tlds: ['org', 'nl'],
    rules: { requiredContacts: ['tech'] },
    keysys: { renewsByMode: ['nl'] },
  },
  draftOfFees('0.6', 'wiki'),
  draftOfFees('0.11', 'ink'),
  draftOfFees('0.12', 'bar'),
];
