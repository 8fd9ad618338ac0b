import { carryOutResets } from '../core/people/factor-reset.ts';
import { answerWishes } from '../core/people/recovery.ts';
import type { Job } from './clockwork.ts';

/** Links for those who forgot their password; second factors that nobody wanted to keep. */
export const lookAfterPeople: Job = {
  name: 'look-after-people',
  everyMs: 2_000,
  async run(house) {
    await answerWishes(house);
    await carryOutResets(house);
  },
};
