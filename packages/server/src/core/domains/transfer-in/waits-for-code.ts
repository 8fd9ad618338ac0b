import type { Operation, OperationOf } from '../../model/operation.ts';

/** The registry refused the auth code of a transfer, which continues with a new one. */
export const isWaitingForCode = (operation: Operation | undefined): operation is OperationOf<'transfer'> =>
  operation?.kind === 'transfer' &&
  operation.state === 'waiting_registry' &&
  operation.outcome?.plan?.code_until !== undefined &&
  !operation.outcome.plan.is_cancelled;
