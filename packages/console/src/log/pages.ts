import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ log: 'Activity' }, { log: 'Aktivitas' });

export const pages: readonly Page[] = [
  {
    path: '/log',
    load: () => import('./changes.tsx'),
    place: { group: 'account', order: 60, icon: 'list', label: () => words().log, needs: 'account:read' },
  },
  { path: '/log/events', load: () => import('./events.tsx') },
];
