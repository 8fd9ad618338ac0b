import type { Page } from '../shell/page.ts';

/** All components on one page, for developers. It is not in the navigation. */
export const pages: readonly Page[] = [{ path: '/parts', load: () => import('./gallery.tsx') }];
