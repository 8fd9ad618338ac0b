import { isIP } from 'node:net';
import { isCurrency } from '@namehold/base';
import type { Actor, AppContext } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import type { OfferedTld } from '../ports/registry.ts';
import type {
  TrialFailure,
  TrialSuccess,
  UpstreamAccounts,
  UpstreamLogin,
  UpstreamService,
  UpstreamTrial,
} from '../ports/upstream-accounts.ts';
import { type Margin, readWish, storeUpstreamPrices, type UpstreamImportReport } from '../pricing/import-upstream.ts';
import { type Audience, normaliseTld } from '../pricing/price.ts';
import { compareUpstreamPrices, type UpstreamPrices } from '../pricing/upstream-prices.ts';
import { type ChangedRoutes, connectRegistry, type NewRegistry } from '../registries/connect.ts';
import { proposeCatalogue } from '../registries/propose.ts';
import { readCatalogueEntries } from '../tlds/list.ts';
import { loadCatalogue } from '../tlds/load.ts';
import { isLocal } from '../uses-public-network.ts';

/** The steps of `registry add --upstream`, which the operator API has too. */

/** An account at a service, as the operator states it. */
export interface StatedAccount {
  /** Default: the name of the service. */
  readonly id?: string | undefined;
  readonly clientId: string;
  readonly secret: string;
  /** Our customer there. Only for services that need it. */
  readonly customerId?: string | undefined;
  readonly currency: string;
  readonly isTestSystem: boolean;
  /** Default: that of the service. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Fields that are added to the profile of the service. */
  readonly profile?: object | undefined;
  readonly caPem?: string | undefined;
  readonly pins?: readonly string[] | undefined;
  readonly sourceAddress?: string | undefined;
}

/** A connection that is complete except for its TLDs. */
export type UpstreamConnection = Omit<NewRegistry, 'tlds'> & {
  readonly service: UpstreamService;
  readonly currency: string;
};

const registryIdOf = (serviceName: string): string => serviceName.replace(/[^a-z0-9-]/g, '-');

export const hostOf = ({ host, testHost }: UpstreamService, isTestSystem: boolean): string | undefined =>
  isTestSystem ? testHost : host;

/** The name comes from a user, so inherited properties do not count. */
export const serviceNamed = ({ services }: UpstreamAccounts, name: string): UpstreamService | undefined =>
  Object.hasOwn(services, name) ? services[name] : undefined;

/** Combines what the operator states with what is known about the service. */
export function connectionTo(accounts: UpstreamAccounts, name: string, stated: StatedAccount): UpstreamConnection {
  const service = serviceNamed(accounts, name);
  if (!service) throw badField('service', `Must be one of ${Object.keys(accounts.services).join(', ')}.`);
  const { isTestSystem, customerId, currency, clientId, secret, caPem, pins, sourceAddress } = stated;
  const id = stated.id ?? registryIdOf(name);
  const host = stated.host ?? hostOf(service, isTestSystem);
  if (host === undefined)
    throw isTestSystem
      ? badField('testSystem', `${service.title} has no test system that can be used here.`)
      : badField('upstreamHost', `${service.title} has no host of its own: state it.`, 'required');
  if (!isCurrency(currency)) throw badField('currency', 'Must be an ISO 4217 currency code such as EUR.');
  requireCustomer(service, stated);
  const preset = isTestSystem ? (service.testProfile ?? service.profile) : service.profile;
  const json = { kind: 'upstream', ...preset, ...(customerId ? { customerId } : {}), ...stated.profile, currency };
  const profile = accounts.readProfile(JSON.stringify(json), id);
  if (profile.transport === 'http' && !(host === 'localhost' || (isIP(host) !== 0 && isLocal(host))))
    throw badField('profile.transport', 'Plain HTTP is allowed only to this machine.');
  const port = stated.port ?? service.port ?? 443;
  return { service, id, profile, host, port, clientId, password: secret, currency, caPem, pins, sourceAddress };
}

function requireCustomer({ title, login }: UpstreamService, { customerId, profile }: StatedAccount): void {
  if (login.customer === undefined || (profile && 'customerId' in profile)) return;
  if (customerId === undefined)
    throw badField('upstreamCustomerId', `${title} needs the ${login.customer}.`, 'required');
  if (!/^\d{1,18}$/.test(customerId)) throw badField('upstreamCustomerId', 'Must be a decimal id.');
}

export const loginOf = ({ password, ...connection }: UpstreamConnection): UpstreamLogin => ({
  ...connection,
  secret: password,
});

type Tested = Pick<UpstreamConnection, 'service' | 'host' | 'port' | 'currency'>;

const remedies: Readonly<Record<TrialFailure['problem'], (tested: Tested) => string>> = {
  login: ({ service }) => `${service.account} An account that is inactive or suspended is refused in the same way.`,
  currency: ({ currency }) => `Use the currency of the account in place of ${currency}.`,
  rate_limit: () => 'The service limits the requests of this account. Wait some minutes, then test it again.',
  network: ({ host, port }) => `Check that the server of this service reaches ${host}:${port}, and that it works.`,
  slow: () =>
    'Test it again, or choose fewer TLDs. The command namehold registry add --upstream waits without this limit.',
  answer: ({ service }) => `Compare the answer with the documents of ${service.title}, or contact its support.`,
};

/** What to do about a failed test. */
export const remedyFor = (problem: TrialFailure['problem'], tested: Tested): string => remedies[problem](tested);

/** The TLDs to sell, in the form of the catalogue. `all`: every TLD that the service lists. */
export function tldsToSell(wanted: 'all' | readonly string[], offered: readonly OfferedTld[] | null): string[] {
  const known = offered?.map(({ tld }) => tld);
  if (wanted === 'all') {
    if (!known) throw badField('tlds', 'This service does not list its TLDs. Name them.');
    return known;
  }
  const tlds = [...new Set(wanted.map(tldNamed))];
  if (tlds.length === 0) throw badField('tlds', 'Name at least one TLD.', 'required');
  const unknown = known && tlds.filter((tld) => !known.includes(tld));
  if (unknown && unknown.length > 0)
    throw badField('tlds', `The account cannot sell ${unknown.map((tld) => `.${tld}`).join(', ')}.`);
  return tlds;
}

function tldNamed(text: string): string {
  try {
    return normaliseTld(text);
  } catch (error) {
    const bad = error instanceof Refusal ? error.details.errors?.[0] : undefined;
    throw bad ? badField('tlds', bad.message) : error;
  }
}

/** How the selling prices are calculated. */
export interface Pricing {
  readonly audience: Audience;
  /** Undefined: costs only. */
  readonly margin?: Margin | undefined;
  readonly priceCurrency?: string | undefined;
  /** New domains of TLDs that another registry serves go to this one. */
  readonly takesRoutes: boolean;
}

export interface Proposal {
  /** A complete catalogue file. */
  readonly catalogue: string;
  /** Undefined: the service has no price list. */
  readonly prices: UpstreamPrices | undefined;
}

/** Reads the price list and calculates what would be loaded. Stores nothing. */
export async function proposeSetup(
  ctx: AppContext,
  trial: UpstreamTrial,
  { id, currency }: UpstreamConnection,
  { tlds, offered }: { readonly tlds: readonly string[]; readonly offered: TrialSuccess['offered'] },
  pricing: Pricing,
): Promise<Proposal | TrialFailure> {
  const listed = await trial.prices(tlds);
  if (listed && 'problem' in listed) return listed;
  const other = listed?.find(({ fee }) => fee.currency !== currency);
  if (other) {
    const { tld, fee } = other;
    const why = `.${tld} costs ${fee.amount} ${fee.currency}, and the account was stated in ${currency}`;
    return { ok: false, problem: 'currency', why };
  }
  const catalogue = proposeCatalogue(await readCatalogueEntries(ctx), id, tlds, offered);
  if (listed === null) return { catalogue, prices: undefined };
  const owner = { registryId: id, takesRoutes: pricing.takesRoutes };
  return { catalogue, prices: await compareUpstreamPrices(ctx, owner, tlds, listed, await readWish(ctx, pricing)) };
}

/** Stores the connection, with its secret encrypted. Returns the routes that changed. */
export function storeConnection(
  ctx: AppContext,
  actor: Actor,
  { service: _, ...connection }: UpstreamConnection,
  tlds: readonly string[],
  confirmsTlds: boolean,
): Promise<ChangedRoutes> {
  return connectRegistry(ctx, { ...connection, tlds, confirmsTlds }, actor);
}

interface LoadedProposal {
  /** Null: the catalogue had these TLDs already. */
  readonly catalogueVersion: number | null;
  readonly prices: UpstreamImportReport | undefined;
}

/** Loads catalogue, costs and prices. Each part can be loaded again, so an interrupted setup is repeated as a whole. */
export async function loadProposal(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { catalogue, prices }: Proposal,
  audience: Audience,
): Promise<LoadedProposal> {
  const { version } = await loadCatalogue(ctx, catalogue, `${id}.json`);
  const refused = prices ? await storeUpstreamPrices(ctx, actor, { registryId: id, audience }, prices) : [];
  return { catalogueVersion: version ?? null, prices: prices && { ...prices, refused } };
}
