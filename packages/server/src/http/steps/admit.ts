import type { Step } from './step.ts';

/**
 * Counts the request as in progress, or refuses it under load.
 *
 * Failure: 503 with Retry-After; nothing was started, the client repeats.
 * Limit: `NAMEHOLD_REQUESTS_IN_FLIGHT`, and the waiting times of the database.
 */
export const admit: Step = ({ definition, request, reply }, { gate }) => gate.enter(definition, request, reply);
