import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/** What a process of the service runs: in one file where `npm test` made it (`tools/programs.ts`), which starts three times as fast. */
export const program = process.env.NAMEHOLD_TEST_PROGRAM ?? source;
