import { followExpiryOnce } from '../core/domains/expire.ts';
import type { Job } from './clockwork.ts';

/** Follows the dates of the registries: notices, expiry, the delete of what nobody renewed, and the end. */
export const followExpiry: Job = {
  name: 'follow-expiry',
  everyMs: 30_000,
  run: followExpiryOnce,
};
