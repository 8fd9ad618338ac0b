import { refuseForeignPage } from '../foreign-page.ts';
import { changesSomething } from '../route.ts';
import type { Step } from './step.ts';

/**
 * Refuses changes that a page of another site requests.
 *
 * Failure: 403; the client calls the API from its own server or from a permitted page.
 * Limit: `NAMEHOLD_CORS_ORIGINS`.
 */
export const refuseOtherSites: Step = ({ definition, request, brandHost }, { ctx }) => {
  if (changesSomething(definition)) refuseForeignPage(request, ctx.config, brandHost);
};
