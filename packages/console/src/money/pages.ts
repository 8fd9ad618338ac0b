import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

export const pages: readonly Page[] = [
  {
    path: '/money',
    load: () => import('./money.tsx'),
    place: { group: 'business', order: 20, icon: 'coins', label: () => words().money, needs: 'account:read' },
  },
];
