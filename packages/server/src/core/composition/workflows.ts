import { securityWorkflow } from '../approvals/security-workflow.ts';
import { contactUpdateWorkflow } from '../contacts/propagate.ts';
import { registrantChangeWorkflow } from '../contacts/registrant-change-workflow.ts';
import { purchases } from '../domains/buy/purchases.ts';
import { childHostWorkflow } from '../domains/change/child-host-workflow.ts';
import { updateWorkflow } from '../domains/change/update-domain.ts';
import { repairWorkflow } from '../domains/compare/repair.ts';
import { deleteWorkflow } from '../domains/end/delete-workflow.ts';
import { moveWorkflow } from '../domains/move/move-workflow.ts';
import { approveTransferWorkflow, rejectTransferWorkflow } from '../domains/transfer-out/answer-workflow.ts';
import type { Workflows } from '../operations/run.ts';

/** Every kind of operation that the engine can run. */
export const domainWorkflows: Workflows = {
  register: purchases.register.workflow,
  renew: purchases.renew.workflow,
  transfer: purchases.transfer.workflow,
  restore: purchases.restore.workflow,
  buy_privacy: purchases.privacy.workflow,
  update: updateWorkflow,
  child_host: childHostWorkflow,
  move: moveWorkflow,
  approve_transfer: approveTransferWorkflow,
  reject_transfer: rejectTransferWorkflow,
  delete: deleteWorkflow,
  repair: repairWorkflow,
  contact_update: contactUpdateWorkflow,
  holder_change: registrantChangeWorkflow,
  account_security: securityWorkflow,
};
