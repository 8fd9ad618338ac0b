import type { Registry, Reply, TransferOutlook } from '../../core/ports/registry.ts';
import { objectOf, objectsOf, textOf, timeOf } from './fields.ts';
import type { Upstream } from './upstream.ts';

const replyWith = (outlook: TransferOutlook | null) =>
  ({ kind: 'done', data: outlook, pending: false, evidence: {} }) as const;
const no = (...obstacles: TransferOutlook['obstacles']): Reply<TransferOutlook | null> =>
  replyWith({ registrar: null, expiresAt: null, isCodeRight: null, obstacles });

/** Whether a domain can be transferred in, by the upstream's own check. */
export const outlooks = (u: Upstream): Pick<Registry, 'transferOutlook'> => ({
  transferOutlook: u.profile.dialect === 'namehold' ? withReasons(u) : yesOrNo(u),
});

const inquire = (u: Upstream, name: string, authCode: string | undefined) => {
  const form = { domain_name: name, ...(authCode === undefined ? {} : { auth_code: authCode }) };
  return u.account.inquire({ method: 'POST', path: '/domains/transfer/validity', form });
};

function withReasons(u: Upstream): NonNullable<Registry['transferOutlook']> {
  return async (name, authCode) => {
    const { reply, refusal } = await inquire(u, name, authCode);
    const time = (value: unknown) => timeOf(value, u.profile.utcOffset);
    if (reply.kind === 'refused') {
      const named = objectsOf(refusal?.body?.obstacles);
      const reasons = named.map(({ reason, from }) => ({ reason: textOf(reason) ?? 'other', from: time(from) }));
      return reasons.length > 0 ? no(...reasons) : no({ reason: 'other', from: null });
    }
    if (reply.kind !== 'done') return reply;
    const body = objectOf(reply.data);
    return replyWith({
      registrar: textOf(body?.registrar) ?? null,
      expiresAt: time(body?.expiry_date),
      isCodeRight: typeof body?.auth_code_is_right === 'boolean' ? body.auth_code_is_right : null,
      obstacles: [],
    });
  };
}

/** The contract returns true or something else. An error about the auth code is a refusal; without one it concerns the domain. */
function yesOrNo(u: Upstream): NonNullable<Registry['transferOutlook']> {
  const isConfirmed = async (name: string, authCode: string | undefined): Promise<Reply<boolean | null>> => {
    const { reply, refusal } = await inquire(u, name, authCode);
    // The upstream does not support the call, so nothing is known about the domain.
    if (reply.kind === 'refused') return { ...replyWith(null), data: refusal?.isNoCall ? null : false };
    if (reply.kind !== 'done') return reply;
    const { data } = reply;
    const isEmpty = objectOf(data) !== undefined && Object.keys(objectOf(data)!).length === 0;
    return { ...reply, data: Boolean(data) && data !== 'false' && !isEmpty };
  };
  return async (name, authCode) => {
    const first = await isConfirmed(name, authCode);
    if (first.kind !== 'done') return first;
    if (first.data === null) return replyWith(null);
    if (first.data)
      return replyWith({
        registrar: null,
        expiresAt: null,
        isCodeRight: authCode === undefined ? null : true,
        obstacles: [],
      });
    const bare = authCode === undefined ? first : await isConfirmed(name, undefined);
    if (bare.kind !== 'done') return bare;
    return no({ reason: bare.data ? 'wrong_auth_code' : 'other', from: null });
  };
}
