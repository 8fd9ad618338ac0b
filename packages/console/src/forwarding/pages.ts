import type { Page } from '../shell/page.ts';

export const pages: readonly Page[] = [{ path: '/domains/:name/forwarding', load: () => import('./forwarding.tsx') }];
