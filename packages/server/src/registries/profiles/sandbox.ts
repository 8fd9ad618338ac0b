import { DEFAULT_PROFILE, type RegistryProfile } from '@namehold/epp';
import { sandboxExtensions, sandboxLimits, sandboxNamespaces, sandboxTlds } from '@namehold/sandbox/tlds/index';

/** The profile of a sandbox registry, derived from its published settings. */
export const sandboxProfile: RegistryProfile = {
  ...DEFAULT_PROFILE,
  id: 'sandbox',
  namespaces: sandboxNamespaces,
  extensions: sandboxExtensions,
  tlds: Object.fromEntries(sandboxTlds.map((tld) => [tld.tld, tld.rules])),
  limits: {
    ...DEFAULT_PROFILE.limits,
    sessions: 8,
    idleMs: sandboxLimits.idleMs,
    maxNamesPerCheck: sandboxLimits.maxNamesPerCheck,
    commandsPerSecond: 10_000,
    maxCommandsPerSession: 100_000,
    maxFrameBytes: sandboxLimits.maxFrameBytes,
  },
  checkGatherMs: 2,
};
