export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';
export * from './systems/index.ts';
export * from './tlds/index.ts';
