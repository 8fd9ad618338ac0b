import { type Fields, gatherInput, sentNames, validateInput } from '../input.ts';
import type { Step } from './step.ts';

/**
 * Collects the fields of path, query and body, and validates them by the schema of the route.
 *
 * Failure: 400 with the field; the client corrects the request.
 * Limit: the schema of the route, and the size of the body.
 */
export const readInput: Step = (exchange) => {
  const { definition, request } = exchange;
  exchange.fields = gatherInput(definition, request);
  if (definition.former) exchange.sentNames = sentNames(request);
  exchange.input = validateInput(definition, exchange.fields) as Fields;
};
