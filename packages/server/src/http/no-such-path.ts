import type { FastifyRequest } from 'fastify';
import { WireRefusal } from './errors.ts';
import { hideKeys } from './hide-keys.ts';

/** The path as messages and log lines show it. */
export const shownPath = (request: FastifyRequest): string => hideKeys(request.url.split('?')[0]!).slice(0, 200);

export const noSuchPath = (request: FastifyRequest): WireRefusal =>
  new WireRefusal('route_not_found', `There is no ${request.method} ${shownPath(request)}.`);
