import { keepPrivacy } from '../core/domains/change/privacy.ts';
import type { Job } from './scheduler.ts';

/** Privacy protection ends at the registry when it ends here, and begins there when it was bought with something else. */
export const keepPrivacyJob: Job = { name: 'keep-privacy', everyMs: 60_000, run: keepPrivacy };
