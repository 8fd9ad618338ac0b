import type { AppContext } from '../../core/app-context.ts';
import type { Reply } from '../../core/ports/registry.ts';
import type { UpstreamAccount } from './account.ts';
import type { Detail, Dialect, UpstreamAnswer } from './dialect.ts';
import type { UpstreamProfile } from './profile.ts';
import type { Call } from './wire.ts';

/** Shared state of the parts of the driver. */
export interface Upstream {
  readonly id: string;
  /** Our reseller id there. */
  readonly clientId: string;
  readonly profile: UpstreamProfile;
  readonly dialect: Dialect;
  readonly account: UpstreamAccount;
  readonly ctx: AppContext;
  /** TLDs that are sold through it. */
  readonly tlds: readonly string[];
}

/** RFC 5730 3: object does not exist. */
export const objectNotFound = 2303;

export const clientOf =
  (u: Upstream) =>
  (call: Call): Promise<UpstreamAnswer> =>
    u.account.inquire(call);

/** `null`: not in our account there, for a reason that is not known yet. */
export async function fetchDetail(u: Upstream, name: string): Promise<Reply<Detail | null>> {
  const { call, fetch } = u.dialect.detail;
  const reply = fetch ? await fetch(clientOf(u), name) : (await u.account.inquire(call(name))).reply;
  if (reply.kind === 'refused' && reply.evidence.code === objectNotFound)
    return { kind: 'done', data: null, pending: false, evidence: reply.evidence };
  if (reply.kind !== 'done') return reply;
  const detail = u.dialect.detail.read(reply.data, u.ctx.clock.now());
  if (!detail || detail.name !== name.toLowerCase())
    return { kind: 'unsent', why: `the details of ${name} cannot be read` };
  return { ...reply, data: detail };
}

/** A command needs the upstream's id of the domain. If it cannot be read, nothing was sent. */
export async function withDomain<T>(
  u: Upstream,
  name: string,
  send: (detail: Detail) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const fetched = await fetchDetail(u, name);
  // A refused query does not concern the domain.
  if (fetched.kind === 'refused') return { kind: 'unsent', why: fetched.evidence.text ?? 'the details were refused' };
  if (fetched.kind !== 'done') return { kind: 'unsent', why: fetched.why };
  const detail = fetched.data;
  if (!detail || detail.status === 'absent' || detail.status === 'transferred_out')
    return {
      kind: 'refused',
      evidence: { code: objectNotFound, text: `${name} is not in our account at the upstream` },
    };
  return send(detail);
}
