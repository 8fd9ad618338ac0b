import type { EppServerOptions, WireFault } from '../../src/server/index.ts';

/** Hooks that apply each fault of a list to one command and none to the others. */
export function faultsOnce(): {
  readonly hooks: NonNullable<EppServerOptions['hooks']>;
  before: WireFault[];
  after: WireFault[];
} {
  const plan: { before: WireFault[]; after: WireFault[] } = { before: [], after: [] };
  const hooks: NonNullable<EppServerOptions['hooks']> = {
    beforeCommand: async (command) => (command.object === 'session' ? undefined : plan.before.shift()),
    beforeAnswer: async (command) => (command.object === 'session' ? undefined : plan.after.shift()),
  };
  return Object.assign(plan, { hooks });
}
