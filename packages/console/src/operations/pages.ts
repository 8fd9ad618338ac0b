import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

export const pages: readonly Page[] = [
  {
    path: '/operations',
    load: () => import('./list.tsx'),
    place: { group: 'names', order: 40, icon: 'steps', label: () => words().operations, needs: 'domains:read' },
  },
  { path: '/operations/:id', load: () => import('./operation.tsx') },
];
