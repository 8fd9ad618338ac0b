import type { Reply, TransferOutlook } from '../../../../core/ports/registry.ts';
import type { Dialect, UpstreamClient } from '../../dialect.ts';
import { objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';

type Outlook = NonNullable<Dialect['transferOutlook']>;

const replyWith = (outlook: TransferOutlook | null) =>
  ({ kind: 'done', data: outlook, pending: false, evidence: {} }) as const;
const no = (...obstacles: TransferOutlook['obstacles']): Reply<TransferOutlook | null> =>
  replyWith({ registrar: null, expiresAt: null, isCodeRight: null, obstacles });

const inquire = (send: UpstreamClient, name: string, authCode: string | undefined) => {
  const form = { domain_name: name, ...(authCode === undefined ? {} : { auth_code: authCode }) };
  return send({ method: 'POST', path: '/domains/transfer/validity', form });
};

export function outlookWithReasons(utcOffset: string): Outlook {
  return async (send, name, authCode) => {
    const { reply, refusal } = await inquire(send, name, authCode);
    const time = (value: unknown) => timeOf(value, utcOffset);
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
export function outlookYesOrNo(): Outlook {
  const isConfirmed = async (
    send: UpstreamClient,
    name: string,
    authCode: string | undefined,
  ): Promise<Reply<boolean | null>> => {
    const { reply, refusal } = await inquire(send, name, authCode);
    // The upstream does not support the call, so nothing is known about the domain.
    if (reply.kind === 'refused') return { ...replyWith(null), data: refusal?.isUnknownCall ? null : false };
    if (reply.kind !== 'done') return reply;
    const { data } = reply;
    const isEmpty = objectOf(data) !== undefined && Object.keys(objectOf(data)!).length === 0;
    return { ...reply, data: Boolean(data) && data !== 'false' && !isEmpty };
  };
  return async (send, name, authCode) => {
    const first = await isConfirmed(send, name, authCode);
    if (first.kind !== 'done') return first;
    if (first.data === null) return replyWith(null);
    if (first.data)
      return replyWith({
        registrar: null,
        expiresAt: null,
        isCodeRight: authCode === undefined ? null : true,
        obstacles: [],
      });
    const bare = authCode === undefined ? first : await isConfirmed(send, name, undefined);
    if (bare.kind !== 'done') return bare;
    return no({ reason: bare.data ? 'wrong_auth_code' : 'other', from: null });
  };
}
