import type { Example } from '../example.ts';

/** The command line, and the registry's control API. The clock moves last. */
export const operatorExamples: readonly Example[] = [
  { kind: 'namehold', name: 'registry-test', args: ['registry', 'test', 'sandbox'] },
  { kind: 'namehold', name: 'registry-list', args: ['registry', 'list'] },
  { kind: 'namehold', name: 'ledger-verify', args: ['ledger', 'verify'] },
  { kind: 'namehold', name: 'sandbox-show', args: ['sandbox', 'show', 'later.com'] },
  { kind: 'namehold', name: 'sandbox-clock', args: ['sandbox', 'clock', '+30d'] },
];
