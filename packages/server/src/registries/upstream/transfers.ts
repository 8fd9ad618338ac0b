import type { CommandContext, Registry, RegistryTransfer, Reply } from '../../core/ports/registry.ts';
import { contactsOfOrder } from './contact-data.ts';
import { type Calls, callsOf, type Detail } from './dialect.ts';
import { isHere, isPending } from './orders.ts';
import { clientOf, fetchDetail, type Upstream, withDomain } from './upstream.ts';
import type { Call } from './wire.ts';

type TransferCommands = Pick<
  Registry,
  'requestTransfer' | 'queryTransfer' | 'cancelTransfer' | 'approveTransfer' | 'rejectTransfer'
>;

type Answer = Parameters<NonNullable<Calls['answerTransfer']>>[1];

export function transferCommands(u: Upstream): TransferCommands {
  const { calls: dialectCalls, transferRefusal } = u.dialect;
  const act = (
    name: string,
    context: CommandContext,
    callsFor: (detail: Detail) => readonly Call[],
  ): Promise<Reply<RegistryTransfer | null>> =>
    withDomain(u, name, (detail) => {
      const calls = callsFor(detail);
      return u.account.command({ object: 'domain', verb: 'transfer', name, calls, read: () => null }, context);
    });
  /** Optional information; if unknown, it is queried again. */
  const latest = async (name: string): Promise<RegistryTransfer | null> => {
    const fetched = await fetchDetail(u, name);
    return fetched.kind === 'done' && fetched.data ? transferOf(u, fetched.data) : null;
  };
  const answer = (choice: Answer) => (name: string, context: CommandContext) => {
    const { answerTransfer } = dialectCalls;
    return answerTransfer
      ? act(name, context, (detail) => answerTransfer(detail, choice))
      : Promise.resolve(cannotAnswer);
  };
  return {
    requestTransfer: async (order, context) => {
      const fetched = await fetchDetail(u, order.name);
      const present = fetched.kind === 'done' ? fetched.data : null;
      const parties = await contactsOfOrder(u, order);
      if (typeof parties === 'string') return { kind: 'unsent', why: parties };
      const { name, authCode, fee, extra = {} } = order;
      const nameservers = u.profile.nameserversWithTransfer
        ? (order.nameservers ?? []).map(({ hostname }) => hostname)
        : [];
      const ordered = { name, authCode, fee, ...parties, nameservers, extra, operationId: context.operationId };
      const calls = callsOf(await u.dialect.transfer(clientOf(u), ordered, present));
      if ('kind' in calls) return calls;
      return u.account.command(
        {
          object: 'domain',
          verb: 'transfer',
          name: order.name,
          calls,
          evidence: (body) => u.dialect.charge(clientOf(u), body),
          checkAccepted: async (accepted) => transferRefusal?.(clientOf(u), order.name, accepted),
          isOpen: () => isPending(u, order.name),
          isCarriedOut: () => isHere(u, order.name),
          read: () => latest(order.name),
        },
        context,
      );
    },
    async queryTransfer(name) {
      const fetched = await fetchDetail(u, name);
      return fetched.kind === 'done' ? { ...fetched, data: fetched.data && transferOf(u, fetched.data) } : fetched;
    },
    cancelTransfer: (name, context) => {
      const { cancelTransfer } = dialectCalls;
      return cancelTransfer ? act(name, context, cancelTransfer) : Promise.resolve(cannotCancel);
    },
    approveTransfer: answer('approve'),
    rejectTransfer: answer('reject'),
  };
}

const cannotAnswer: Reply<never> = {
  kind: 'refused',
  evidence: { code: 2101, text: 'this upstream has no call for it: answer the transfer in its own console' },
};

const cannotCancel: Reply<never> = {
  kind: 'refused',
  evidence: { code: 2101, text: 'this upstream has no call for it: cancel the transfer in its own console' },
};

/** Our own terms for results that no registry has. */
const ends: Readonly<Record<string, string>> = {
  ordered: 'pending',
  cancelled: 'clientCancelled',
  refused: 'clientRejected',
};

function transferOf(u: Upstream, detail: Detail): RegistryTransfer | null {
  const { status: remoteStatus, transfer, transferAway } = detail;
  const comes =
    remoteStatus === 'pending_transfer_in' ||
    remoteStatus === 'absent' ||
    (remoteStatus === 'live' && transfer !== undefined);
  const isAway = remoteStatus === 'pending_transfer' || remoteStatus === 'transferred_out';
  if (isAway || (transferAway && !comes)) {
    const registrar = transferAway?.registrar ?? 'another registrar';
    return {
      name: detail.name,
      status: transferAway?.status ?? (remoteStatus === 'transferred_out' ? 'serverApproved' : 'pending'),
      gaining: registrar,
      isToUs: false,
      requestedAt: transferAway?.requestedAt ?? null,
      losing: u.clientId,
      actionAt: transferAway?.actionAt ?? null,
      expiresAt: null,
    };
  }
  if (!comes || (remoteStatus !== 'pending_transfer_in' && !transfer)) return null;
  const transferStatus = transfer?.status ?? 'pending';
  return {
    name: detail.name,
    status: remoteStatus === 'live' ? 'serverApproved' : (ends[transferStatus] ?? transferStatus),
    gaining: u.clientId,
    isToUs: true,
    requestedAt: transfer?.requestedAt ?? null,
    losing: transfer?.registrar ?? 'another registrar',
    actionAt: transfer?.actionAt ?? null,
    expiresAt: detail.expiresAt,
  };
}
