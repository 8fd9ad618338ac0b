import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RealService } from '../support/process.ts';
import { countEvents, detail, entries, paidFor, registered, type Verb } from './verb.ts';

/** Within the days before expiry in which a renewal is tried. */
const untilDue = '+352d';
/** After an attempt without a result. */
const untilNextTry = '+25h';

/** Moves the clock of service and registry and runs background jobs at once; without an answer if the service dies. */
export const moveTime = (service: RealService, move: string) =>
  service.call('POST', '/v1/sandbox/clock', { json: { move } });

/** Ordered by a background job, so no caller retries it. */
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
    // Must not be due again during the next failpoint.
    const gone = await service.call('DELETE', `/v1/domains/${domain}`);
    expect(gone.status, JSON.stringify(gone.body)).toBe(200);
  },
};
