export type { FaultKind, FaultSpec } from './faults/fault.ts';
export type { SandboxAccount } from './identity/accounts.ts';
export { type Sandbox, type SandboxEvent, type SandboxOptions, startSandbox } from './sandbox.ts';
export * from './systems/index.ts';
export * from './tlds/index.ts';
