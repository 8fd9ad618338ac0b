import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

export const pages: readonly Page[] = [
  {
    path: '/domains',
    load: () => import('./list.tsx'),
    place: { group: 'names', order: 10, icon: 'globe', label: () => words().domains, needs: 'domains:read' },
  },
  { path: '/domains/:name', load: () => import('./name.tsx') },
];
