import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

export const pages: readonly Page[] = [
  {
    path: '/domains/new',
    load: () => import('./new.tsx'),
    place: { group: 'names', order: 20, icon: 'plus', label: () => words().title, needs: 'domains:write' },
  },
];
