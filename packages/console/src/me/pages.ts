import type { Page } from '../shell/page.ts';

/** Opened from the user menu. */
export const pages: readonly Page[] = [{ path: '/me', load: () => import('./me.tsx') }];
