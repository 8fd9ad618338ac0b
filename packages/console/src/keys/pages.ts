import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

export const pages: readonly Page[] = [
  {
    path: '/keys',
    load: () => import('./list.tsx'),
    place: { group: 'account', order: 10, icon: 'key', label: () => words().keys, needs: 'account:read' },
  },
];
