import type { Page } from '../shell/page.ts';

/** Every part on one page, for those who write pages; in no navigation. */
export const pages: readonly Page[] = [{ path: '/parts', load: () => import('./gallery.tsx') }];
