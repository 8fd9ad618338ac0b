import { workerData } from 'node:worker_threads';
import { verifyAndTell } from '../../src/core/books/report.ts';
import { sliceLimits } from '../../src/core/ledger/slices.ts';
import { createLogger } from '../../src/logger.ts';
import { openParts } from '../../src/parts.ts';

/** A process that compares the books, to be ended in the middle. */
const { config, limits } = workerData;
Object.assign(sliceLimits, limits);
const parts = await openParts(config, createLogger('silent'));
await verifyAndTell(parts.house);
