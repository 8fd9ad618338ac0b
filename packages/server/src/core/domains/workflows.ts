import { contactUpdateWorkflow } from '../contacts/propagate.ts';
import type { Workflow } from '../operations/run.ts';
import { buyPrivacyWorkflow } from './buy/buy-privacy-workflow.ts';
import { registerWorkflow } from './buy/register.ts';
import { renewWorkflow } from './buy/renew-workflow.ts';
import { restoreWorkflow } from './buy/restore-workflow.ts';
import { childHostWorkflow } from './change/child-host-workflow.ts';
import { updateWorkflow } from './change/update-domain.ts';
import { repairWorkflow } from './compare/repair.ts';
import { deleteWorkflow } from './end/delete-workflow.ts';

/** Every kind of operation that the engine can run. */
export const domainWorkflows: readonly Workflow[] = [
  registerWorkflow,
  renewWorkflow,
  deleteWorkflow,
  restoreWorkflow,
  repairWorkflow,
  updateWorkflow,
  childHostWorkflow,
  buyPrivacyWorkflow,
  contactUpdateWorkflow,
];
