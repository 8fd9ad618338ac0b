import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentProvider } from '../../src/core/ports/payment-provider.ts';

const toleranceMs = 300_000;

/** The signature format of card providers: `t=<seconds>,v1=<HMAC of t.body>`. */
export function sign(secret: string, body: string, at = Date.now()): string {
  const seconds = Math.floor(at / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;
}

/** A provider that exists in tests only: the port needs no more than this. */
export const testCard: PaymentProvider = {
  name: 'test_card',
  instructions: ({ reference }) => ({ page: `https://cards.example/pay/${reference}` }),
  readNotice({ body, header, secret, now }) {
    const signed = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header('x-card-signature') ?? '');
    const expected = createHmac('sha256', secret)
      .update(`${signed?.[1] ?? ''}.`)
      .update(body)
      .digest();
    const isGenuine = timingSafeEqual(expected, Buffer.from(signed?.[2] ?? '0'.repeat(64), 'hex'));
    if (!signed || !isGenuine || Math.abs(now.getTime() - Number(signed[1]) * 1_000) > toleranceMs)
      return { kind: 'forged' };
    try {
      const { id, type, reference, amount, currency } = JSON.parse(body.toString()) as Record<string, string>;
      if (type !== 'paid' && type !== 'charged_back') return { kind: 'reported', events: [] };
      const kind = type === 'paid' ? 'came' : 'charged_back';
      return {
        kind: 'reported',
        events: [{ kind, eventId: id!, reference: reference!, amount: amount!, currency: currency! }],
      };
    } catch {
      return { kind: 'unreadable', why: 'is not JSON' };
    }
  },
};
