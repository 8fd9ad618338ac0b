import { messages } from '../messages/common.ts';
import type { Page } from '../shell/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/',
    load: () => import('./home.tsx'),
    place: { group: 'top', order: 0, icon: 'home', label: () => messages().home },
  },
];
