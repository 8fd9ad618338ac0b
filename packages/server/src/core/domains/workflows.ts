import { contactUpdateWorkflow } from '../contacts/propagate.ts';
import type { Workflows } from '../operations/run.ts';
import { buyPrivacyWorkflow } from './buy/buy-privacy-workflow.ts';
import { registerWorkflow } from './buy/register.ts';
import { renewWorkflow } from './buy/renew-workflow.ts';
import { restoreWorkflow } from './buy/restore-workflow.ts';
import { childHostWorkflow } from './change/child-host-workflow.ts';
import { updateWorkflow } from './change/update-domain.ts';
import { repairWorkflow } from './compare/repair.ts';
import { deleteWorkflow } from './end/delete-workflow.ts';

/** Every kind of operation that the engine can run. */
export const domainWorkflows: Workflows = {
  register: registerWorkflow,
  renew: renewWorkflow,
  restore: restoreWorkflow,
  buy_privacy: buyPrivacyWorkflow,
  update: updateWorkflow,
  child_host: childHostWorkflow,
  delete: deleteWorkflow,
  repair: repairWorkflow,
  contact_update: contactUpdateWorkflow,
};
