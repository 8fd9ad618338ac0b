import { checkHosts } from '../core/brands/hosts.ts';
import type { Job } from './scheduler.ts';

/** Checks that hosts of brands are still proven and respond. */
export const checkBrandHostsJob: Job = {
  name: 'look-at-hosts',
  everyMs: 60_000,
  run: checkHosts,
};
