import type { Page } from '../shell/page.ts';
import { words } from '../words/words.ts';

export const pages: readonly Page[] = [
  {
    path: '/',
    load: () => import('./home.tsx'),
    place: { group: 'top', order: 0, icon: 'home', label: () => words().home },
  },
];
