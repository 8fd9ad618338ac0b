import { describe, expect, it } from 'vitest';
import { ANSWER_KIND, type RateDecision, RateLimiter } from '../src/index.ts';

const { POSITIVE, NOT_FOUND } = ANSWER_KIND;
const zone = 'example.com.';
const limiter = (slip = 0, perSecond = 3) => new RateLimiter({ perSecond, slip, seed: 7 });

function ask(
  rate: RateLimiter,
  address: string,
  count: number,
  second = 1_000,
  kind: number = POSITIVE,
): RateDecision[] {
  return Array.from({ length: count }, () => rate.decide(address, kind, zone, second));
}

describe('answers of one kind to one network', () => {
  it('are sent up to the limit, then alternately dropped and sent empty with TC', () => {
    expect(ask(limiter(2), '192.0.2.1', 7)).toEqual(['answer', 'answer', 'answer', 'drop', 'slip', 'drop', 'slip']);
    expect(ask(limiter(1), '192.0.2.1', 5)).toEqual(['answer', 'answer', 'answer', 'slip', 'slip']);
    expect(ask(limiter(0), '192.0.2.1', 6)).toEqual(['answer', 'answer', 'answer', 'drop', 'drop', 'drop']);
  });

  it.each([
    ['192.0.2.1', '192.0.2.254', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['2001:db8:0:100::1', '2001:db8:0:1ff::1', true],
    ['2001:db8:0:100::1', '2001:db8:0:200::1', false],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.9', true],
    ['::ffff:192.0.2.1', '192.0.2.9', true],
    ['::ffff:c000:201', '192.0.2.9', true],
    // On a dual-stack socket these are two clients.
    ['::ffff:192.0.2.1', '::ffff:198.51.100.1', false],
    // Similar to a mapped address, but not one.
    ['::fffe:192.0.2.1', '::fffe:198.51.100.1', true],
    ['1::ffff:192.0.2.1', '1::ffff:198.51.100.1', true],
  ])('share a limit for %s and %s: %s', (one, other, isSame) => {
    const rate = limiter();
    expect(ask(rate, one, 3)).toEqual(['answer', 'answer', 'answer']);
    expect(ask(rate, other, 1)).toEqual([isSame ? 'drop' : 'answer']);
  });

  it('are counted separately for each kind and each zone', () => {
    const rate = limiter();
    ask(rate, '192.0.2.1', 5);
    expect(ask(rate, '192.0.2.1', 1, 1_000, NOT_FOUND)).toEqual(['answer']);
    expect(rate.decide('192.0.2.1', POSITIVE, 'example.org.', 1_000)).toBe('answer');
    expect(ask(rate, '192.0.2.1', 1)).toEqual(['drop']);
  });
});

describe('the next second', () => {
  it('starts fresh for a network that kept to the limit', () => {
    const rate = limiter();
    ask(rate, '192.0.2.1', 3);
    expect(ask(rate, '192.0.2.1', 4, 1_001)).toEqual(['answer', 'answer', 'answer', 'drop']);
  });

  it("starts with a debt after a flood, of one second's worth at most", () => {
    const rate = limiter();
    ask(rate, '192.0.2.1', 5);
    expect(ask(rate, '192.0.2.1', 2, 1_001)).toEqual(['answer', 'drop']);
    ask(rate, '192.0.2.1', 1_000, 1_001);
    expect(ask(rate, '192.0.2.1', 1, 1_002)).toEqual(['drop']);
    // A quiet second clears the debt.
    expect(ask(rate, '192.0.2.1', 3, 1_004)).toEqual(['answer', 'answer', 'answer']);
  });
});

it('uses bounded memory for 200,000 spoofed networks, and still answers a real one', () => {
  const rate = limiter();
  for (let network = 0; network < 200_000; network += 1) {
    rate.decide(`10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`, POSITIVE, zone, 1_000);
  }
  expect(ask(rate, '192.0.2.1', 3)).toEqual(['answer', 'answer', 'answer']);
});
