import { tellRegistries } from '../core/verification/tell-registry.ts';
import type { Job } from './clockwork.ts';

/** What holders confirmed here is handed on to the registries that ask for it. */
export const tellConfirmations: Job = { name: 'tell-confirmations', everyMs: 30_000, run: tellRegistries };
