import { ALL_NAMESPACES, CAUTIOUS_PROFILE, type RegistryProfile } from '@namehold/epp';
import { SANDBOX_LIMITS, SANDBOX_TLDS } from '@namehold/sandbox/tlds/index';

/** How the sandbox registry likes to be spoken to; made from what it publishes about itself. */
export const sandboxProfile: RegistryProfile = {
  ...CAUTIOUS_PROFILE,
  id: 'sandbox',
  namespaces: ALL_NAMESPACES,
  tlds: Object.fromEntries(SANDBOX_TLDS.map((tld) => [tld.tld, tld.rules])),
  limits: {
    ...CAUTIOUS_PROFILE.limits,
    sessions: 8,
    idleMs: SANDBOX_LIMITS.idleMs,
    maxNamesPerCheck: SANDBOX_LIMITS.maxNamesPerCheck,
    commandsPerSecond: 10_000,
    maxCommandsPerSession: 100_000,
    maxFrameBytes: SANDBOX_LIMITS.maxFrameBytes,
  },
  checkGatherMs: 2,
};
