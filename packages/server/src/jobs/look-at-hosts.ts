import { lookAtHosts } from '../core/brands/hosts.ts';
import type { Job } from './clockwork.ts';

/** Whether hosts of brands are still proven, and answer. */
export const lookAtHostsJob: Job = {
  name: 'look-at-hosts',
  everyMs: 60_000,
  run: lookAtHosts,
};
