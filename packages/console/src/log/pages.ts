import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

export const pages: readonly Page[] = [
  {
    path: '/log',
    load: () => import('./changes.tsx'),
    place: { group: 'account', order: 60, icon: 'list', label: () => words().log, needs: 'account:read' },
  },
  { path: '/log/events', load: () => import('./events.tsx') },
];
