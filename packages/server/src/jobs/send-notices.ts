import { sendDue } from '../core/delivery/send.ts';
import type { Job } from './scheduler.ts';

const roundsPerRun = 50;

/** Sends notices after the change that they report is committed. */
export const sendNotices: Job = {
  name: 'send-notices',
  everyMs: 1_000,
  async run(ctx) {
    for (let round = 0; round < roundsPerRun; round++) if ((await sendDue(ctx)) === 0) return;
  },
};
