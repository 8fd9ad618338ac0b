import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppContext } from '../../../core/app-context.ts';
import { Refusal } from '../../../core/errors.ts';
import { takeNotice } from '../../../core/payments/notice.ts';
import { paymentLimits } from '../../../core/payments/payment.ts';
import { plainAddress } from '../../authenticate.ts';

/** Webhook of payment providers. They have no API key; each body is signed, over its bytes. */
export function installPaymentWebhook(
  fastify: FastifyInstance,
  ctx: AppContext,
  budget: {
    readonly take: (request: FastifyRequest) => Promise<void>;
    /** A wrong signature counts as a failed login of its address. */
    readonly miss: (request: FastifyRequest) => Promise<void>;
  },
): void {
  fastify.register((scoped, _options, done) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scoped.post(
      '/payments/:provider/:reseller',
      {
        bodyLimit: paymentLimits.noticeBytes,
        config: { routePath: '/payments/{provider}/{reseller}' },
        onRequest: (request) => budget.take(request),
      },
      async (request, reply) => {
        const { provider, reseller } = request.params as { provider: string; reseller: string };
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const header = (name: string) => {
          const value = request.headers[name.toLowerCase()];
          return Array.isArray(value) ? value.join(', ') : value;
        };
        const proxy = { provider, resellerId: reseller, address: plainAddress(request.ip), requestId: request.id };
        try {
          const handled = await takeNotice(ctx, proxy, { body, header });
          return reply
            .header('Cache-Control', 'no-store')
            .send({ events: handled.map(({ eventId, fate }) => ({ event_id: eventId, fate })) });
        } catch (error) {
          if (error instanceof Refusal && error.code === 'unauthorized') await budget.miss(request);
          throw error;
        }
      },
    );
    done();
  });
}
