import type { CommandContext, DomainOrder, Registry, RegistryFee } from '../../core/ports/registry.ts';
import { contactsOfOrder } from './contact-data.ts';
import { callsOf, type Detail } from './dialect.ts';
import { objectOf, timeOf } from './fields.ts';
import { clientOf, fetchDetail, type Upstream, withDomain } from './upstream.ts';

export function orders(u: Upstream): Pick<Registry, 'create' | 'renew' | 'remove' | 'restore' | 'restoreReport'> {
  return {
    create: (order, context) => create(u, order, context),
    renew: (name, currentExpiry, years, fee, context) => renew(u, { name, currentExpiry, years, fee }, context),
    remove: (name, context) =>
      withDomain(u, name, (detail) => {
        const calls = u.dialect.calls.remove(detail);
        const isCarriedOut = () => isChanged(u, detail);
        return u.account.command(
          { object: 'domain', verb: 'delete', name, calls, isCarriedOut, read: () => null },
          context,
        );
      }),
    restore: (name, fee, context) =>
      withDomain(u, name, (detail) => {
        const calls = u.dialect.calls.restore(detail, fee);
        const evidence = (body: unknown) => u.dialect.charge(clientOf(u), body);
        const isCarriedOut = () => isChanged(u, detail);
        return u.account.command(
          { object: 'domain', verb: 'update', name, calls, evidence, ...whileOpen(u), isCarriedOut, read: () => null },
          context,
        );
      }),
    // The account that restores at the registry also reports to it.
    restoreReport: async () => ({ kind: 'done', data: null, pending: false, evidence: {} }),
  };
}

const expiryOf = (u: Upstream, body: unknown) => timeOf(objectOf(body)?.expiry_date, u.profile.utcOffset);

async function create(u: Upstream, order: DomainOrder, context: CommandContext): ReturnType<Registry['create']> {
  const parties = await contactsOfOrder(u, order);
  if (typeof parties === 'string') return { kind: 'unsent', why: parties };
  const wanted = {
    name: order.name,
    years: order.years,
    ...parties,
    nameservers: order.nameservers.map(({ hostname }) => hostname),
    extra: order.extra,
    ...(order.isPrivate ? { isPrivate: true } : {}),
    fee: order.fee,
    operationId: context.operationId,
  };
  const calls = callsOf((await u.dialect.prepareCreate?.(clientOf(u), wanted)) ?? u.dialect.calls.create(wanted));
  if ('kind' in calls) return calls;
  return u.account.command(
    {
      object: 'domain',
      verb: 'create',
      name: order.name,
      calls,
      evidence: (body) => u.dialect.charge(clientOf(u), body),
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

/** If the orders there are queried before a renewal or restore is repeated. */
const whileOpen = (u: Upstream) => ({ isUnknownWhileOpen: (u.dialect.findOrders?.renewGuard ?? 'date') !== 'date' });

interface Renewal {
  readonly name: string;
  readonly currentExpiry: string;
  readonly years: number;
  readonly fee: RegistryFee | undefined;
}

function renew(u: Upstream, { name, currentExpiry, years, fee }: Renewal, context: CommandContext) {
  return withDomain<{ expiresAt: Date | null }>(u, name, async (detail) => {
    // Protects against a double renewal: the expiry date on which the order is based.
    if (detail.expiresAt?.toISOString().slice(0, 10) !== currentExpiry || detail.expiryText === undefined)
      return {
        kind: 'refused',
        evidence: { code: otherDate, text: `${name} does not expire on ${currentExpiry} there` },
      };
    const order = { years, fee, operationId: context.operationId };
    const { prepareRenew } = u.dialect;
    const calls = callsOf((await prepareRenew?.(clientOf(u), detail, order)) ?? u.dialect.calls.renew(detail, order));
    if ('kind' in calls) return calls;
    return u.account.command(
      {
        object: 'domain',
        verb: 'renew',
        name,
        calls,
        evidence: (body) => u.dialect.charge(clientOf(u), body),
        ...whileOpen(u),
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

/** Another status than before the order was sent. Unknown counts as yes. */
async function isChanged(u: Upstream, before: Detail): Promise<boolean> {
  const fetched = await fetchDetail(u, before.name);
  return fetched.kind !== 'done' || fetched.data?.status !== before.status;
}

/** Unknown counts as yes. */
export async function isHere(u: Upstream, name: string): Promise<boolean> {
  const fetched = await fetchDetail(u, name);
  return (
    fetched.kind !== 'done' ||
    (fetched.data !== null && fetched.data.status !== 'absent' && fetched.data.status !== 'transferred_out')
  );
}

/** Ordered and not yet ours. Undefined: unknown. */
export async function isPending(u: Upstream, name: string): Promise<boolean | undefined> {
  const fetched = await fetchDetail(u, name);
  if (fetched.kind !== 'done' || !fetched.data) return undefined;
  return fetched.data.status === 'pending' || fetched.data.status === 'pending_transfer_in';
}

/** RFC 5730 3, parameter value policy error. */
const otherDate = 2306;
