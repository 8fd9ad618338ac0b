import type { Detail } from './dialect.ts';

/** The EPP statuses of RFC 5731 2.3, which core reads. */
const locks = ['clientTransferProhibited', 'clientUpdateProhibited', 'clientDeleteProhibited'];
export const phases: Readonly<Partial<Record<Detail['status'], { statuses: string[]; rgp: string[] }>>> = {
  pending: { statuses: ['pendingCreate'], rgp: [] },
  pending_transfer_in: { statuses: ['pendingTransfer'], rgp: [] },
  pending_transfer: { statuses: ['pendingTransfer'], rgp: [] },
  redemption: { statuses: ['pendingDelete'], rgp: ['redemptionPeriod'] },
  pending_restore: { statuses: ['pendingDelete'], rgp: ['pendingRestore'] },
  pending_delete: { statuses: ['pendingDelete'], rgp: ['pendingDelete'] },
};
export const phaseStates = /^(redemptionPeriod|pendingRestore|pendingDelete)$/;

type Shown = Pick<
  Detail,
  'status' | 'registryStatuses' | 'isLocked' | 'isProtected' | 'isSuspended' | 'confirmation' | 'underway'
>;

export function statusesOf(detail: Shown): string[] {
  const { registryStatuses, isLocked, isProtected, isSuspended } = detail;
  const phase = phases[detail.status];
  // Statuses set by the registry or the upstream cannot be removed by us.
  const theirs = registryStatuses.filter((status) => status.startsWith('server') || status === 'inactive');
  const isHeld = registryStatuses.includes('clientHold') && (!isSuspended || detail.confirmation === 'held');
  return [
    ...new Set([
      ...(isLocked ? locks : isProtected ? locks.slice(0, 1) : []),
      ...(isSuspended ? ['clientHold'] : []),
      ...(isHeld ? ['serverHold'] : []),
      ...(detail.underway === 'update' ? ['pendingUpdate'] : []),
      ...(phase?.statuses ?? []),
      ...theirs,
    ]),
  ];
}
