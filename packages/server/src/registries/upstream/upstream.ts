import type { AppContext } from '../../core/app-context.ts';
import type { Reply } from '../../core/ports/registry.ts';
import type { UpstreamAccount } from './account.ts';
import { type Detail, readDetail } from './detail.ts';
import type { UpstreamProfile } from './profile.ts';

/** Shared state of the parts of the driver. */
export interface Upstream {
  readonly id: string;
  /** Our reseller id there. */
  readonly clientId: string;
  readonly profile: UpstreamProfile;
  readonly account: UpstreamAccount;
  readonly ctx: AppContext;
  /** TLDs that are sold through it. */
  readonly tlds: readonly string[];
}

/** RFC 5730 3: object does not exist. */
export const objectNotFound = 2303;

/** `null`: not in our account there, for a reason that is not known yet. */
export async function fetchDetail(u: Upstream, name: string): Promise<Reply<Detail | null>> {
  // Without DNS records, of which a zone may have many.
  const fields = u.profile.dialect === 'namehold' ? 'domain_details,cns,dnssec' : 'All';
  const reply = await u.account.fetchReply('/domains/details-by-name', { domain_name: name, fields });
  if (reply.kind === 'refused' && reply.evidence.code === objectNotFound)
    return { kind: 'done', data: null, pending: false, evidence: reply.evidence };
  if (reply.kind !== 'done') return reply;
  const detail = readDetail(reply.data, u.profile.utcOffset);
  if (!detail || detail.name !== name.toLowerCase())
    return { kind: 'unsent', why: `the details of ${name} cannot be read` };
  return { ...reply, data: detail };
}

const pathOf = (id: string): string => `/domains/${encodeURIComponent(id)}`;

/** A command needs the upstream's id of the domain. If it cannot be read, nothing was sent. */
export async function withDomain<T>(
  u: Upstream,
  name: string,
  send: (detail: Detail, path: string) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const fetched = await fetchDetail(u, name);
  // A refused query does not concern the domain.
  if (fetched.kind === 'refused') return { kind: 'unsent', why: fetched.evidence.text ?? 'the details were refused' };
  if (fetched.kind !== 'done') return { kind: 'unsent', why: fetched.why };
  const detail = fetched.data;
  if (!detail || detail.status === 'gone' || detail.status === 'left')
    return {
      kind: 'refused',
      evidence: { code: objectNotFound, text: `${name} is not in our account at the upstream` },
    };
  return send(detail, pathOf(detail.id));
}
