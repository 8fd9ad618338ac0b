import { contactUpdateWorkflow } from '../contacts/propagate.ts';
import type { Workflow } from '../operations/run.ts';
import { buyPrivacyWorkflow } from './buy-privacy-workflow.ts';
import { childHostWorkflow } from './child-host-workflow.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { registerWorkflow } from './register.ts';
import { renewWorkflow } from './renew-workflow.ts';
import { repairWorkflow } from './repair.ts';
import { restoreWorkflow } from './restore-workflow.ts';
import { updateWorkflow } from './update-domain.ts';

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
