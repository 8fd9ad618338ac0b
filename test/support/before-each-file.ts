import { expect } from 'vitest';
import { loadLibxml2 } from '../../packages/epp/src/xml/libxml2.ts';
import { hashAt } from '../../packages/server/src/core/accounts/password.ts';
import { chaosSeedOf } from '../../tools/chaos.ts';

// Every sandbox registry that this file starts is a harmless nuisance, in its own way and the same way again.
process.env.SANDBOX_CHAOS = chaosSeedOf(expect.getState().testPath ?? '');
// Who opens a session or a door does it themselves; tests read documents without.
await loadLibxml2();
// Dear on purpose, and tests make customers by the thousand.
hashAt({ memory: 8, passes: 1, parallelism: 1 });
