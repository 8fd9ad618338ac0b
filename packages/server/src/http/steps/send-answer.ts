import type { FastifyRequest } from 'fastify';
import { parseForm } from '../body.ts';
import { forCustomer } from '../identity/customer-view.ts';
import { listNamesOf } from '../input.ts';
import { linkHeader } from '../page.ts';
import type { Answer, Route } from '../route.ts';
import { noteFacts } from './log-answer.ts';
import type { Exchange, Step, StepContext } from './step.ts';

/**
 * Sends status, headers and body, for customers without the data of their reseller.
 *
 * Failure: none; a client that disconnects repeats the request with its key.
 * Limit: the sizes of lists, and `linkHeader`.
 */
export const sendAnswer: Step = (exchange, shared) => {
  const { definition, request, reply, rateHeaders, caller } = exchange;
  const answer = exchange.answer!;
  reply.code(answer.status).headers({ 'X-Request-Id': request.id, ...rateHeaders, ...answer.headers });
  const isKept = !definition.secret && definition.answerType !== 'text/event-stream';
  reply.header('Cache-Control', !isKept ? 'no-store' : 'private, no-cache');
  addLink(exchange, answer, shared);
  if (answer.status >= 400) {
    noteFacts(request, { code: (answer.body as { code?: string }).code ?? 'unknown' });
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(answer.body);
    return;
  }
  // A bare text would be sent unquoted; JSON requires quotes (GET auth_code).
  const isBareText = definition.answerType === undefined && typeof answer.body === 'string';
  const customerId = caller?.customerId;
  const shown = customerId === undefined ? answer.body : forCustomer(answer.body, customerId);
  const body = isBareText ? JSON.stringify(shown) : shown;
  const type = answer.type ?? definition.answerType ?? 'application/json';
  if (definition.alsoAs) reply.header('Vary', 'Accept');
  reply.type(type === 'application/pdf' ? type : `${type}; charset=utf-8`).send(body);
};

function addLink({ definition, request, reply, input }: Exchange, { listed }: Answer, shared: StepContext): void {
  if (!definition.isList || !listed) return;
  const base = `${shared.publicUrl()}${request.url.split('?')[0]}`;
  const link = linkHeader(base, gatherQuery(definition, request), input!, listed);
  if (link) reply.header('Link', link);
}

/** The filters of the caller, without paging parameters in either spelling. */
function gatherQuery(definition: Route, request: FastifyRequest): Record<string, string> {
  const kept = parseForm(request.url.split('?').slice(1).join('?'), listNamesOf(definition));
  for (const [name, value] of Object.entries(kept)) {
    if (value === '' || /^(limit|page[_-]no)$/.test(name)) delete kept[name];
  }
  return kept;
}
