import type { Page } from '../shell/page.ts';

/** Reached from the menu of the person. */
export const pages: readonly Page[] = [{ path: '/me', load: () => import('./me.tsx') }];
