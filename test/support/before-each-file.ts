import { expect } from 'vitest';
import { loadLibxml2 } from '../../packages/epp/src/xml/libxml2.ts';
import { hashAt as hashSessionsAt } from '../../packages/sandbox/src/identity/password.ts';
import { hashAt } from '../../packages/server/src/core/accounts/password.ts';
import { chaosSeedOf } from '../../tools/chaos.ts';

// Every sandbox registry that this file starts injects harmless faults of chaos mode, from a seed of its own that is stable.
process.env.SANDBOX_CHAOS = chaosSeedOf(expect.getState().testPath ?? '');
// Tests that open a session or start a server load libxml2 themselves; tests of documents need it loaded.
await loadLibxml2();
// Password hashing is expensive on purpose, and tests create customers and EPP sessions by the thousand.
hashAt({ memory: 8, passes: 1, parallelism: 1 });
hashSessionsAt({ N: 2, r: 1, p: 1 });
