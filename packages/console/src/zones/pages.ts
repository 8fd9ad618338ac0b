import type { Page } from '../shell/page.ts';

export const pages: readonly Page[] = [
  { path: '/domains/:name/dns', load: () => import('./editor.tsx') },
  { path: '/templates', load: () => import('./template-list.tsx') },
];
