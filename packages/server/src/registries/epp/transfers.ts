import type { DomainTransferRequest, DomainTrnData } from '@namehold/epp';
import type { CommandContext, Registry, RegistryTransfer, Reply } from '../../core/ports/registry.ts';
import type { Sender } from './driver.ts';
import { asKeysys, transferFields } from './keysys/commands.ts';
import { reply } from './reply.ts';
import { feeTransform } from './translate.ts';

type TransferCommands = Pick<
  Registry,
  'requestTransfer' | 'queryTransfer' | 'cancelTransfer' | 'approveTransfer' | 'rejectTransfer'
>;

/** RFC 5730 3: object not pending transfer. For a query this means that there is no transfer. */
const notPending = 2301;

export function transferCommands(s: Sender): TransferCommands {
  const read = (data: DomainTrnData | undefined): RegistryTransfer | null => (data ? transferOf(s, data) : null);
  const send = (request: DomainTransferRequest, context: CommandContext): Promise<Reply<RegistryTransfer | null>> =>
    reply({ send: () => s.pool.send(request, s.options(context)), read });
  const bare = { object: 'domain', verb: 'transfer' } as const;
  return {
    requestTransfer: ({ name, authCode, years, fee, ...parties }, context) => {
      const ext = { ...feeTransform(fee), ...(s.keysys ? asKeysys(transferFields(s.keysys, parties)) : {}) };
      return send(
        {
          ...bare,
          op: 'request',
          name,
          ...(years === null ? {} : { period: { value: years, unit: 'y' } }),
          authInfo: { pw: authCode },
          ...(Object.keys(ext).length > 0 ? { ext } : {}),
        },
        context,
      );
    },
    queryTransfer: (name, context) =>
      reply({
        send: () => s.pool.send({ ...bare, op: 'query', name }, s.options(context)),
        absent: { value: null, code: notPending },
        read,
      }),
    cancelTransfer: (name, context) => send({ ...bare, op: 'cancel', name }, context),
    approveTransfer: (name, context) => send({ ...bare, op: 'approve', name }, context),
    rejectTransfer: (name, context) => send({ ...bare, op: 'reject', name }, context),
  };
}

/** RFC 5731 3.1.3 requires dates. An upstream that knows none writes the year 1, which would be long over. */
export const known = (date: Date): Date | null => (date.getUTCFullYear() > 1970 ? date : null);

const transferOf = (s: Sender, data: DomainTrnData): RegistryTransfer => ({
  name: data.name.toLowerCase(),
  status: data.trStatus,
  gaining: data.reID,
  isToUs: data.reID === s.clientId,
  requestedAt: known(data.reDate),
  losing: data.acID,
  actionAt: known(data.acDate),
  expiresAt: data.exDate ?? null,
});
