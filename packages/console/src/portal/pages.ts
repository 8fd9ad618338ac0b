import type { Page } from '../shell/page.ts';

export const pages: readonly Page[] = [{ path: '/at/:id', load: () => import('./already-signed-in.tsx') }];
