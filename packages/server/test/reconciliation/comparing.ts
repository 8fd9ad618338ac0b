import { workerData } from 'node:worker_threads';
import { sliceLimits } from '../../src/core/ledger/slices.ts';
import { verifyAndReport } from '../../src/core/reconciliation/report.ts';
import { createLogger } from '../../src/logger.ts';
import { openParts } from '../../src/parts.ts';

/** A process that runs a reconciliation, to be killed during it. */
const { config, limits } = workerData;
Object.assign(sliceLimits, limits);
const parts = await openParts(config, createLogger('silent'));
await verifyAndReport(parts.ctx);
