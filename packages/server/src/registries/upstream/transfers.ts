import type { CommandContext, Registry, RegistryTransfer, Reply } from '../../core/ports/registry.ts';
import type { Detail } from './detail.ts';
import { type Fields, listOf, objectOf, textOf, timeOf } from './fields.ts';
import { chargeOf, guard, isHere, isPending, noContactId } from './orders.ts';
import { fetchDetail, type Upstream, withDomain } from './upstream.ts';
import type { Call } from './wire.ts';

type TransferCommands = Pick<
  Registry,
  'requestTransfer' | 'queryTransfer' | 'cancelTransfer' | 'approveTransfer' | 'rejectTransfer'
>;

/** RFC 5730 3: invalid authorization information. */
const wrongCode = 2202;

/** The reason given here is not passed on. The upstream gets the one that a seller can always give. */
const denial = 'holder_objects';

export function transferCommands(u: Upstream): TransferCommands {
  const act = (name: string, action: string, context: CommandContext): Promise<Reply<RegistryTransfer | null>> =>
    withDomain(u, name, (_detail, path) => {
      const form: Record<string, string> = action === 'reject' ? { reason: denial } : {};
      const calls: Call[] = [{ method: 'POST', path: `${path}/transfer/${action}`, form }];
      return u.account.command({ object: 'domain', verb: 'transfer', name, calls, read: () => null }, context);
    });
  /** Optional information; if unknown, it is queried again. */
  const latest = async (name: string): Promise<RegistryTransfer | null> => {
    const fetched = await fetchDetail(u, name);
    return fetched.kind === 'done' && fetched.data ? transferOf(u, fetched.data) : null;
  };
  const answer = (action: string) => (name: string, context: CommandContext) =>
    u.profile.dialect === 'namehold' ? act(name, action, context) : Promise.resolve(cannotAnswer);
  return {
    requestTransfer: async (order, context) => {
      const calls = await requestCalls(u, order);
      if (typeof calls === 'string') return { kind: 'unsent', why: calls };
      return u.account.command(
        {
          object: 'domain',
          verb: 'transfer',
          name: order.name,
          calls,
          evidence: (body) => chargeOf(u, body),
          checkAccepted: (accepted) => refusedCode(u, order.name, accepted),
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
    cancelTransfer: (name, context) => act(name, 'cancel', context),
    approveTransfer: answer('approve'),
    rejectTransfer: answer('reject'),
  };
}

const cannotAnswer: Reply<never> = {
  kind: 'refused',
  evidence: { code: 2101, text: 'this upstream has no call for it: answer the transfer in its own console' },
};

/** The contacts of our customer there. Core sets the domain's own after the transfer. */
async function requestCalls(u: Upstream, order: Parameters<Registry['requestTransfer']>[0]): Promise<Call[] | string> {
  const fetched = await fetchDetail(u, order.name);
  const present = fetched.kind === 'done' ? fetched.data : null;
  if (present?.status === 'coming') {
    const path = `/domains/${encodeURIComponent(present.id)}/transfer/auth_code`;
    return [{ method: 'PUT', path, form: { auth_code: order.authCode } }];
  }
  const reply = await u.account.fetchReply(`/customers/${u.profile.customerId}/contacts/default`);
  const defaults = reply.kind === 'done' ? objectOf(reply.data) : undefined;
  if (!defaults) return 'the contacts of our own customer at the upstream cannot be read';
  const idOf = (role: string) => textOf(objectOf(defaults[`${role}_contact`])?.contact_id) ?? noContactId;
  const form = {
    domain_name: order.name,
    customer_id: u.profile.customerId,
    registrant_contact_id: idOf('registrant'),
    admin_contact_id: idOf('admin'),
    tech_contact_id: idOf('tech'),
    billing_contact_id: idOf('billing'),
    auth_code: order.authCode,
    invoice_option: 'no_invoice',
    ...guard(u, order.fee),
  };
  return [{ method: 'POST', path: '/domains/transfer', form }];
}

/** The upstream would wait for another auth code while our money is on hold, so the order is cancelled there and core requests the code. */
async function refusedCode(u: Upstream, name: string, accepted: Fields) {
  const choices = listOf(objectOf(accepted.attention)?.choices);
  const id = textOf(accepted.domain_id);
  if (!choices.includes('new_auth_code') || id === undefined) return undefined;
  await u.account.fetchReply(`/domains/${encodeURIComponent(id)}/transfer/cancel`, {}, { method: 'POST', form: {} });
  return { code: wrongCode, text: `the auth code of ${name} was refused` };
}

/** Our own terms for results that no registry has. */
const ends: Readonly<Record<string, string>> = {
  ordered: 'pending',
  cancelled: 'clientCancelled',
  refused: 'clientRejected',
};

function transferOf(u: Upstream, detail: Detail): RegistryTransfer | null {
  const { status: remoteStatus, transfer, transferAway } = detail;
  const time = (value: unknown) => timeOf(value, u.profile.utcOffset);
  const comes =
    remoteStatus === 'coming' || remoteStatus === 'gone' || (remoteStatus === 'live' && transfer !== undefined);
  const isAway = remoteStatus === 'pending_transfer' || remoteStatus === 'left';
  if (isAway || (transferAway && !comes)) {
    const registrar = textOf(transferAway?.registrar) ?? 'another registrar';
    return {
      name: detail.name,
      status: textOf(transferAway?.status) ?? (remoteStatus === 'left' ? 'serverApproved' : 'pending'),
      gaining: registrar,
      isToUs: false,
      requestedAt: time(transferAway?.requested_at),
      losing: u.clientId,
      actionAt: time(transferAway?.action_at),
      expiresAt: null,
    };
  }
  if (!comes || (remoteStatus !== 'coming' && !transfer)) return null;
  const transferStatus = textOf(transfer?.status) ?? 'pending';
  return {
    name: detail.name,
    status: remoteStatus === 'live' ? 'serverApproved' : (ends[transferStatus] ?? transferStatus),
    gaining: u.clientId,
    isToUs: true,
    requestedAt: time(transfer?.requested_at),
    losing: textOf(transfer?.from_registrar) ?? 'another registrar',
    actionAt: time(transfer?.action_at),
    expiresAt: detail.expiresAt,
  };
}
