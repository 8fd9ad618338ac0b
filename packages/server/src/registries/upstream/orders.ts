import { allTenants } from '@namehold/postgres';
import { remoteContact } from '../../core/domains/registry/registry-contact.sql.ts';
import type { CommandContext, DomainOrder, Evidence, Registry, RegistryFee } from '../../core/ports/registry.ts';
import type { Role } from './detail.ts';
import { type Fields, objectOf, textOf, timeOf } from './fields.ts';
import { fetchDetail, type Upstream, withDomain } from './upstream.ts';

const noInvoice = { invoice_option: 'no_invoice' };
/** No contact in this role. */
export const noContactId = '-1';

export function orders(u: Upstream): Pick<Registry, 'create' | 'renew' | 'remove' | 'restore' | 'restoreReport'> {
  return {
    create: (order, context) => create(u, order, context),
    renew: (name, currentExpiry, years, fee, context) => renew(u, { name, currentExpiry, years, fee }, context),
    remove: (name, context) =>
      withDomain(u, name, (_detail, path) =>
        u.account.command(
          { object: 'domain', verb: 'delete', name, calls: [{ method: 'DELETE', path }], read: () => null },
          context,
        ),
      ),
    restore: (name, fee, context) =>
      withDomain(u, name, (_detail, path) => {
        const form = { ...noInvoice, ...guard(u, fee) };
        const calls = [{ method: 'POST', path: `${path}/restore`, form }] as const;
        const evidence = (body: Fields) => chargeOf(u, body);
        return u.account.command(
          { object: 'domain', verb: 'update', name, calls, evidence, read: () => null },
          context,
        );
      }),
    // The account that restores at the registry also reports to it.
    restoreReport: async () => ({ kind: 'done', data: null, pending: false, evidence: {} }),
  };
}

const expiryOf = (u: Upstream, body: Fields) => timeOf(body.expiry_date, u.profile.utcOffset);

async function create(u: Upstream, order: DomainOrder, context: CommandContext): ReturnType<Registry['create']> {
  const contacts = await contactsOf(u, order);
  if (typeof contacts === 'string') return { kind: 'unsent', why: contacts };
  const form = {
    domain_name: order.name,
    customer_id: u.profile.customerId,
    years: String(order.years),
    ...contacts,
    ...(order.nameservers.length > 0 ? { ns: order.nameservers.map(({ hostname }) => hostname).join(',') } : {}),
    ...(Object.keys(order.extra).length > 0 ? { extra: new URLSearchParams(order.extra).toString() } : {}),
    ...noInvoice,
    ...guard(u, order.fee),
  };
  return u.account.command(
    {
      object: 'domain',
      verb: 'create',
      name: order.name,
      calls: [{ method: 'POST', path: '/domains', form }],
      evidence: (body) => chargeOf(u, body),
      isOpen: () => isPending(u, order.name),
      isCarriedOut: () => isHere(u, order.name),
      async read(body) {
        const shown = await fetchDetail(u, order.name);
        const detail = shown.kind === 'done' ? shown.data : null;
        const createdAt = detail?.createdAt ?? u.ctx.clock.now();
        return { createdAt, expiresAt: detail?.expiresAt ?? expiryOf(u, body) };
      },
    },
    context,
  );
}

interface Renewal {
  readonly name: string;
  readonly currentExpiry: string;
  readonly years: number;
  readonly fee: RegistryFee | undefined;
}

function renew(u: Upstream, { name, currentExpiry, years, fee }: Renewal, context: CommandContext) {
  return withDomain<{ expiresAt: Date | null }>(u, name, async (detail, path) => {
    // Protects against a double renewal: the expiry date on which the order is based, in the upstream's spelling.
    if (detail.expiresAt?.toISOString().slice(0, 10) !== currentExpiry || detail.expiryText === undefined)
      return {
        kind: 'refused',
        evidence: { code: otherDate, text: `${name} does not expire on ${currentExpiry} there` },
      };
    const current_date = bareTime(detail.expiryText);
    const form = { years: String(years), current_date, ...noInvoice, ...guard(u, fee) };
    return u.account.command(
      {
        object: 'domain',
        verb: 'renew',
        name,
        calls: [{ method: 'POST', path: `${path}/renew`, form }],
        evidence: (body) => chargeOf(u, body),
        async isCarriedOut() {
          const fetched = await fetchDetail(u, name);
          return fetched.kind !== 'done' || fetched.data?.expiryText !== detail.expiryText;
        },
        read: (body) => ({ expiresAt: expiryOf(u, body) }),
      },
      context,
    );
  });
}

/** Unknown counts as yes. */
export async function isHere(u: Upstream, name: string): Promise<boolean> {
  const fetched = await fetchDetail(u, name);
  return (
    fetched.kind !== 'done' ||
    (fetched.data !== null && fetched.data.status !== 'gone' && fetched.data.status !== 'left')
  );
}

/** Ordered and not yet ours. Undefined: unknown. */
export async function isPending(u: Upstream, name: string): Promise<boolean | undefined> {
  const fetched = await fetchDetail(u, name);
  if (fetched.kind !== 'done' || !fetched.data) return undefined;
  return fetched.data.status === 'pending' || fetched.data.status === 'coming';
}

/** RFC 5730 3, parameter value policy error. */
const otherDate = 2306;

/** Our own API has instants with a zone; the contract has none. */
const bareTime = (text: string): string => text.replace('T', ' ').replace(/(\.\d+)?Z$/, '');

/** The price limit; only for domains with a price of their own. */
export const guard = (u: Upstream, fee: RegistryFee | undefined): Record<string, string> =>
  fee && u.profile.dialect === 'namehold' ? { max_price: fee.amount } : {};

/** The four roles, or why they cannot be resolved. */
async function contactsOf(u: Upstream, order: Pick<DomainOrder, 'registrant' | 'contacts'>) {
  const handles: Record<Role, string | undefined> = {
    registrant: order.registrant,
    admin: order.contacts.admin,
    tech: order.contacts.tech,
    billing: order.contacts.billing,
  };
  const form: Record<string, string> = {};
  for (const [role, handle] of Object.entries(handles)) {
    const id = handle === undefined ? noContactId : await remoteContact(u.ctx.db.as(allTenants), u.id, handle);
    if (id === undefined) return `contact ${handle} does not exist at the upstream yet`;
    form[`${role}_contact_id`] = id;
  }
  return form;
}

/** The charged amount, if the upstream returns it. It does not affect the outcome. */
export async function chargeOf(u: Upstream, body: Fields): Promise<Evidence> {
  const id = textOf(body.transaction_id);
  if (id === undefined) return {};
  const reply = await u.account.fetchReply(`/account/transactions/${encodeURIComponent(id)}`);
  const transaction = reply.kind === 'done' ? objectOf(reply.data) : undefined;
  const amount = Number(transaction?.amount);
  if (!transaction || !Number.isFinite(amount)) return { svTRID: id };
  const currency = textOf(transaction.currency) ?? u.profile.currency;
  return { svTRID: id, charged: { amount: decimal(Math.abs(amount)), currency } };
}

/** The contract has amounts as JSON numbers. */
export const decimal = (amount: number): string => amount.toFixed(4).replace(/\.?0+$/, '');
