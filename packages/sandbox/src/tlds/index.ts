import {
  ALL_NAMESPACES,
  type FixedExtension,
  IETF_NAMESPACES,
  NAMESTORE,
  TLD_EXTENSIONS,
  TLD_NAMESPACES,
} from '@namehold/epp';
import { coId, fr, id, myId, webId } from './country.ts';
import { app, asia, biz, cc, com, info, net, org, shop, thick, us } from './generic.ts';
import { usd } from './shared.ts';
import { bar, gallery, ink, koeln, nl, page, sale, vip, wiki } from './special.ts';
import type { SandboxTld } from './tld.ts';

export type { AuthInfoSign, PremiumName, SandboxTld, TldFees } from './tld.ts';

const listed: readonly SandboxTld[] = [
  com,
  net,
  org,
  info,
  biz,
  us,
  asia,
  app,
  cc,
  shop,
  fr,
  id,
  coId,
  webId,
  myId,
  nl,
  sale,
  gallery,
  vip,
  koeln,
  page,
  wiki,
  ink,
  bar,
];

/** An extension that none of them requires is tried under a TLD of its name. */
const unlisted = TLD_EXTENSIONS.filter(({ name }) => !listed.some(({ extra }) => extra === name));

/** Every TLD that the sandbox registry serves. */
export const sandboxTlds: readonly SandboxTld[] = [
  ...listed,
  ...unlisted.map(({ name }) => ({ ...thick(name, usd(1_000)), extra: name })),
];

/** By TLD, for look-ups. */
export const sandboxTldOf: ReadonlyMap<string, SandboxTld> = new Map(sandboxTlds.map((tld) => [tld.tld, tld]));

/** Host objects that exist from the start, for domains without name servers of their own. */
export const sandboxNameservers = ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] as const;

/** The extensions that the sandbox supports; the library has more. */
export const sandboxNamespaces = {
  ...IETF_NAMESPACES,
  lowBalancePoll: ALL_NAMESPACES.lowBalancePoll,
  rgpPoll: ALL_NAMESPACES.rgpPoll,
  changePoll: ALL_NAMESPACES.changePoll,
  maintenance: ALL_NAMESPACES.maintenance,
  idn: ALL_NAMESPACES.idn,
  launch: ALL_NAMESPACES.launch,
  allocationToken: ALL_NAMESPACES.allocationToken,
  ...TLD_NAMESPACES,
} as const;

/** Required extensions of commands about names and hosts under some of its TLDs. */
export const sandboxExtensions: readonly FixedExtension[] = [
  { ...NAMESTORE, tlds: sandboxTlds.filter((tld) => tld.product !== undefined).map(({ tld }) => tld) },
];

/** The sandbox's registry profile, with the data that registries publish in their manuals. */
export const sandboxLimits = {
  sessionsPerClient: 32,
  idleMs: 600_000,
  maxNamesPerCheck: 50,
  maxFrameBytes: 4 * 1024 * 1024,
} as const;

export const sandboxCurrency = 'USD';
