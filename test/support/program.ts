import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/** The program of a service process: one file if `npm test` made it (`tools/programs.ts`), which starts three times as fast. */
export const program = process.env.NAMEHOLD_TEST_PROGRAM ?? source;
