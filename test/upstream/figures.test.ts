import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quick, Seller } from '../namehold-upstream/chain.ts';
import type { TestService } from '../support/service.ts';
import { type SimulatedUpstream, upstreams } from './simulators/upstreams.ts';

const limits = { sessions: 2, requestsPerMinute: 600, namesPerCheck: 1 };
const perSecond = limits.requestsPerMinute / 60;

const withQuickLimits = ({ profile }: SimulatedUpstream) => ({ ...profile, limits: { ...profile.limits, ...quick } });

describe.each(Object.keys(upstreams))('requests to an upstream with the dialect %s', (dialect) => {
  let upstream: SimulatedUpstream;
  let seller: Seller;
  beforeAll(async () => {
    upstream = await upstreams[dialect]!();
    seller = await Seller.open(upstream.way, ['org'], withQuickLimits(upstream));
  });
  afterAll(async () => {
    await seller?.t.stop();
    await upstream?.stop();
  });
  const check = (name: string, t: TestService) =>
    t.call('GET', '/v1/domains/availability', { query: { domain: name } });

  test('are never more than the profile allows, over two processes', async () => {
    const other = await seller.t.second();
    await seller.connect(upstream.way, ['org'], {
      ...upstream.profile,
      limits: { ...upstream.profile.limits, ...limits },
    });
    await other.service.parts.registries.reload('up');
    const before = upstream.server.log.requests.length;
    upstream.server.mostAtOnce = 0;
    const names = Array.from({ length: 15 }, (_, at) => `pace${at}.org`);
    await Promise.all(names.flatMap((name) => [check(`a-${name}`, seller.t), check(`b-${name}`, other)]));
    const times = upstream.server.log.requests.slice(before).map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(2 * names.length);
    expect(upstream.server.mostAtOnce).toBeLessThanOrEqual(limits.sessions);
    // A burst is at most the requests of one second.
    times.forEach((at, place) => {
      const allowed = perSecond * (1 + Math.ceil((at - times[0]!) / 1_000));
      expect(place + 1).toBeLessThanOrEqual(allowed);
    });
    await other.stop();
    await seller.connect(upstream.way, ['org'], withQuickLimits(upstream));
  });

  test('list 10,000 domains with few calls', async () => {
    if (!upstream.list) return;
    const { call, times } = upstream.list;
    for (let number = upstream.portfolio.domains.size; number < 10_000; number += 1)
      upstream.addDomain(`listed${number}.org`);
    const before = upstream.server.log.of(call).length;
    const registry = await seller.t.ctx.registries.of('up');
    const listed = await registry.holdings!({ after: '', limit: 20_000 });
    expect(listed.kind === 'done' ? listed.data.length : listed).toBe(10_000);
    expect(upstream.server.log.of(call).length - before).toBe(times);
  });
});
