import type { Route } from '../../route.ts';
import { listEvents } from './list.ts';

export const eventRoutes: readonly Route[] = [listEvents];
