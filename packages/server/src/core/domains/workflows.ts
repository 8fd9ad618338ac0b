import { securityWorkflow } from '../accounts/security-workflow.ts';
import { contactUpdateWorkflow } from '../contacts/propagate.ts';
import { registrantChangeWorkflow } from '../contacts/registrant-change-workflow.ts';
import type { Workflows } from '../operations/run.ts';
import { purchases } from './buy/purchases.ts';
import { childHostWorkflow } from './change/child-host-workflow.ts';
import { updateWorkflow } from './change/update-domain.ts';
import { repairWorkflow } from './compare/repair.ts';
import { deleteWorkflow } from './end/delete-workflow.ts';
import { moveWorkflow } from './move/move-workflow.ts';
import { approveTransferWorkflow, rejectTransferWorkflow } from './transfer-out/answer-workflow.ts';

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
