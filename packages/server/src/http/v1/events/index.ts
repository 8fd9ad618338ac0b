import type { Route } from '../../route.ts';
import { listEvents } from './list.ts';
import { streamEvents } from './stream.ts';

export const eventRoutes: readonly Route[] = [listEvents, streamEvents];
