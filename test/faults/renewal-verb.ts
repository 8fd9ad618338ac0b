import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RealService } from '../support/process.ts';
import { countEvents, detail, entries, paidFor, registered, type Verb } from './verb.ts';

/** Within the days before the end of a year in which a renewal is tried. */
const untilDue = '+352d';
/** After a try that came to nothing. */
const untilNextTry = '+25h';

/** Time for platform and registry, and the clockwork at once; without an answer where the service dies over it. */
export const moveTime = (service: RealService, move: string) =>
  service.call('POST', '/v1/sandbox/clock', { json: { move } });

/** Ordered by the clockwork, with nobody there who could ask again. */
export const automaticRenewal: Verb = {
  name: 'automatic renewal',
  kind: 'renew',
  step: 'renew',
  isRepeatable: false,
  isOrderedByClock: true,
  async prepare(service, domain) {
    await registered(service, domain);
    const form = { renewal_mode: 'renew' };
    expect((await service.call('PUT', `/v1/domains/${domain}/renewal_mode`, { form })).status).toBe(200);
  },
  call: (domain) => async (service) => {
    let called = await moveTime(service, untilDue);
    for (let waited = 0; waited < 300_000 && called.status !== 0; waited += 50) {
      await sleep(50);
      called = await service.call('GET', `/v1/domains/${domain}`);
    }
    return called;
  },
  async finish(service, domain) {
    if ((await entries(service, domain, 'renew')) === 0) await moveTime(service, untilNextTry);
    await expect.poll(async () => (await paidFor(service, domain)).length, { timeout: 300_000, interval: 100 }).toBe(2);
  },
  async check(service, domain) {
    // The registry's own renewal would be a second term.
    expect(await entries(service, domain, 'renew')).toBe(1);
    const { end_date, creation_date, operation } = await detail(service, domain);
    const years = Number(String(end_date).slice(0, 4)) - Number(String(creation_date).slice(0, 4));
    expect({ years, operation }).toEqual({ years: 2, operation: null });
    expect(await countEvents(service, domain, 'domain.renewed')).toBe(1);
    expect(await countEvents(service, domain, 'domain.auto_renewal_failed')).toBe(0);
    // It shall not be due again while the next point is tried.
    const gone = await service.call('DELETE', `/v1/domains/${domain}`);
    expect(gone.status, JSON.stringify(gone.body)).toBe(200);
  },
};
