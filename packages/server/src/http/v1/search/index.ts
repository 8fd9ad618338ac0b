import type { Route } from '../../route.ts';
import { searchRoute } from './search.ts';

export const searchRoutes: readonly Route[] = [searchRoute];
