import type { AppContext } from '../../packages/server/src/core/app-context.ts';
import { jobs } from '../../packages/server/src/jobs/index.ts';

/** Runs a background job of the service once, by its name. */
export async function runJob(ctx: AppContext, name: string): Promise<void> {
  const job = jobs.find((each) => each.name === name);
  if (!job) throw new Error(`no background job is named ${name}`);
  await job.run(ctx);
}
