import type { Page } from '../shell/page.ts';

export const pages: readonly Page[] = [{ path: '/transfers', load: () => import('./transfers.tsx') }];
