import type { Page } from '../shell/page.ts';

export const pages: readonly Page[] = [{ path: '/moves', load: () => import('./moves.tsx') }];
