import type { Route } from '../../route.ts';
import { acceptMoveRoute } from './accept.ts';
import { claimMoveRoute } from './claim.ts';
import { declineMoveRoute } from './decline.ts';
import { listMovesRoute } from './list.ts';
import { readMoveRoute } from './read.ts';

export const moveRoutes: readonly Route[] = [
  listMovesRoute,
  claimMoveRoute,
  readMoveRoute,
  acceptMoveRoute,
  declineMoveRoute,
];
