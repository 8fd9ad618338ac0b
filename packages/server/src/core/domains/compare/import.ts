import { formatMoney, money, NameError, normaliseName, splitName } from '@namehold/base';
import { allTenants, type Tx, violatedConstraint } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import type { AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { badField, notFound, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { contactRoles, type Domain } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { priceChain } from '../../pricing/price-of.ts';
import { findRegistry, servedTlds } from '../../registries/registry.sql.ts';
import { servesTld } from '../../registries/route.sql.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { markLive, setDs } from '../domain.sql.ts';
import { insertDomain } from '../enter.sql.ts';
import { wholeYears } from '../lifecycle.ts';
import {
  contactsByHandle,
  findLiveName,
  isCustomerOf,
  type PaidBefore,
  paidBefore,
  setAdopted,
  setFlags,
} from './import.sql.ts';
import { clearOrphan } from './orphan.ts';
import { applyView } from './sync.ts';

interface ImportOrder {
  readonly registryId: string;
  readonly names: readonly string[];
  readonly resellerId: string;
  readonly customerId: string;
  /**
   * Our own command registered it, so it was not paid outside this service. Unless it was paid here before, the operator decides who is
   * charged.
   */
  readonly isOurDoing?: boolean;
}

interface ImportReport {
  readonly name: string;
  readonly outcome: 'imported' | 'known' | 'not_ours' | 'not_there' | 'not_served' | 'unreachable';
  readonly detail: string;
  readonly domainId: string | null;
  /** The registry's price for the whole term, from the cost list. */
  readonly registryCost: string | null;
}

/** Adopts domains that the registry holds for us and that are missing here. No money moves: their term was paid outside this service. */
export async function importDomains(ctx: AppContext, order: ImportOrder): Promise<ImportReport[]> {
  const db = ctx.db.as(allTenants);
  if (!(await findRegistry(db, order.registryId))) throw notFound(`registry ${order.registryId}`);
  if (!(await isCustomerOf(db, order.resellerId, order.customerId)))
    throw badField('customer', `Reseller ${order.resellerId} has no such customer.`, 'not_found');
  const served = await servedTlds(db);
  const reports: ImportReport[] = [];
  for (const name of order.names) reports.push(await importOne(ctx, order, name, served));
  return reports;
}

async function importOne(
  ctx: AppContext,
  order: ImportOrder,
  input: string,
  served: Set<string>,
): Promise<ImportReport> {
  const db = ctx.db.as(allTenants);
  const report = (
    outcome: ImportReport['outcome'],
    detail: string,
    domainId: string | null = null,
    registryCost: string | null = null,
  ): ImportReport => ({ name: input, outcome, detail, domainId, registryCost });
  const name = plain(input);
  const tld = name === undefined ? undefined : splitName(name, served)?.tld;
  if (name === undefined || tld === undefined || !(await servesTld(db, order.registryId, tld))) {
    return report('not_served', `not under a TLD that registry ${order.registryId} serves for us`);
  }
  const known = await findLiveName(db, name);
  if (known) return report('known', `held here by reseller ${known.reseller_id}`, known.id);
  const queryReply = await (await ctx.registries.of(order.registryId)).info(name, { priority: 'background' });
  if (queryReply.kind !== 'done')
    return report('unreachable', queryReply.kind === 'refused' ? describe(queryReply.evidence) : queryReply.why);
  const view = queryReply.data;
  if (!view) return report('not_there', 'the registry does not know it');
  if (!view.isOurs) return report('not_ours', `sponsored by ${view.sponsor ?? 'another registrar'}`);
  try {
    const before = await paidBefore(db, name, view.createdAt);
    const isPaid = before !== undefined || !order.isOurDoing;
    const { id, unknown } = await ctx.db.transaction(allTenants, (tx) =>
      adopt(ctx, tx, order, { name, tld, view, isPaid }),
    );
    const contacts =
      unknown.length === 0
        ? 'with all contacts'
        : `without contacts for ${unknown.join(', ')}: their handles are not ours`;
    const cost = await costOf(ctx, order, tld, view);
    const until = view.expiresAt?.toISOString().slice(0, 10) ?? 'an unknown date';
    const paid = cost ? `the registry charges ${cost} for its term` : "the registry's charge is not on the cost list";
    const charged = chargedText(before);
    await clearOrphan(ctx, order.registryId, name);
    return report('imported', `held until ${until}, ${contacts}; ${paid}, ${charged}`, id, cost);
  } catch (error) {
    if (violatedConstraint(error) === 'domain_name_once')
      return report('known', 'added by another call at the same moment');
    throw error;
  }
}

/** The operator uses this text to decide on a debit note, so that a registration is not charged twice. */
export function chargedText(paid: PaidBefore | undefined): string {
  if (!paid) return 'no reseller was charged';
  const taken = `${formatMoney(money(BigInt(paid.amount), paid.currency))} ${paid.currency}`;
  return `reseller ${paid.reseller_id} was charged ${taken} for it (transaction ${paid.transaction_id}, operation ${paid.operation_id}) and must not be charged again`;
}

/** From its creation to its expiry, by the current cost list. */
async function costOf(
  ctx: AppContext,
  { resellerId, registryId }: ImportOrder,
  tld: string,
  view: RegistryDomain,
): Promise<string | null> {
  if (!view.createdAt || !view.expiresAt) return null;
  const years = wholeYears(view.createdAt, view.expiresAt);
  const question = {
    resellerId,
    registryId,
    tld,
    action: 'create' as const,
    years: Math.max(1, years),
    at: ctx.clock.now(),
  };
  try {
    const { cost } = await priceChain(ctx.db.as(allTenants), question);
    return cost ? `${formatMoney(cost)} ${cost.currency}` : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function plain(text: string): string | undefined {
  try {
    return normaliseName(text);
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}

interface Found {
  readonly name: string;
  readonly tld: string;
  readonly view: RegistryDomain;
  readonly isPaid: boolean;
}

async function adopt(ctx: AppContext, tx: Tx, order: ImportOrder, { name, tld, view, isPaid }: Found) {
  const now = ctx.clock.now();
  const shown = { registrant: view.registrant, ...view.contacts } as Partial<
    Record<(typeof contactRoles)[number], string | null>
  >;
  const byHandle = await contactsByHandle(
    tx,
    order.resellerId,
    order.registryId,
    Object.values(shown).filter((handle) => handle !== null),
  );
  const contacts = { registrant: null, admin: null, tech: null, billing: null } as Record<
    (typeof contactRoles)[number],
    string | null
  >;
  const unknown: string[] = [];
  for (const role of contactRoles) {
    const handle = shown[role];
    if (!handle) continue;
    contacts[role] = byHandle.get(handle) ?? null;
    if (contacts[role] === null) unknown.push(role);
  }
  const id = await insertDomain(tx, {
    resellerId: order.resellerId,
    customerId: order.customerId,
    name,
    tld,
    registryId: order.registryId,
    contacts,
    nameservers: view.nameservers,
    extra: {},
    premium: null,
    now,
  });
  await markLive(tx, id, {
    createdAt: view.createdAt ?? now,
    expiresAt: view.expiresAt,
    endDate: view.expiresAt,
    now,
    privacyUntil: null,
  });
  await setAdopted(tx, id, (isPaid ? view.expiresAt : view.createdAt) ?? now);
  await setFlags(tx, id, flagsOf(view));
  if (view.ds.length > 0) await setDs(tx, id, view.ds, now);
  const domain = await readDomain(tx, id);
  await applyView(ctx, tx, domain, view, await rulesOf(tx, domain));
  await audit(ctx, tx, schedulerFor(domain, 'import'), {
    action: 'domain.import',
    objectType: 'domain',
    objectId: id,
    after: { name, registry_id: order.registryId, expires_at: view.expiresAt },
  });
  await appendEvent(
    ctx,
    tx,
    lifeEvent(domain, 'domain.imported', { expires_at: view.expiresAt?.toISOString() ?? null }),
  );
  return { id, unknown };
}

/** Statuses that are set at the registry are taken as the wanted flags. */
function flagsOf(view: RegistryDomain): Pick<Domain, 'locked' | 'suspended' | 'theft_protection'> {
  const has = (status: string) => view.statuses.includes(status);
  const locked = has('clientTransferProhibited') && has('clientUpdateProhibited') && has('clientDeleteProhibited');
  return { locked, suspended: has('clientHold'), theft_protection: has('clientTransferProhibited') && !locked };
}
