import { renderError } from '../render-error.ts';
import { noteFacts } from './log-answer.ts';
import type { ErrorStep } from './step.ts';

/**
 * Sends the error in the one format of errors. Internal errors are logged with their cause.
 *
 * Failure: none; nothing else remains to be sent.
 * Limit: `refusalLimits`.
 */
export const sendRefusal: ErrorStep = ({ exchange, request, reply, error, shown }, shared) => {
  const rendered = renderError(shown, request.id, shared.publicUrl());
  noteFacts(request, { code: rendered.body.code as string });
  if (rendered.isOurs) request.log.error({ request_id: request.id, err: error }, 'request failed');
  reply
    .code(rendered.status)
    .headers({
      'X-Request-Id': request.id,
      'Cache-Control': 'no-store',
      ...exchange?.rateHeaders,
      ...rendered.headers,
    })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(rendered.body);
};
