import { expect } from 'vitest';
import { mischiefOf } from '../../tools/mischief.ts';

// Every sandbox registry that this file starts is a harmless nuisance, in its own way and the same way again.
process.env.SANDBOX_MISCHIEF = mischiefOf(expect.getState().testPath ?? '');
