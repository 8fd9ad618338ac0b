import { keepPrivacy } from '../core/domains/change/privacy.ts';
import type { Job } from './scheduler.ts';

/** Ends privacy protection at the registry when it expires here, and starts it when it was bought with another order. */
export const keepPrivacyJob: Job = { name: 'keep-privacy', everyMs: 60_000, run: keepPrivacy };
