import { defineMessages } from '../messages/locale.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ activity: 'Activity' }, { activity: 'Aktivitas' });

export const pages: readonly Page[] = [
  {
    path: '/log',
    load: () => import('./changes.tsx'),
    place: { group: 'account', order: 60, icon: 'list', label: () => messages().activity, needs: 'account:read' },
  },
  { path: '/log/events', load: () => import('./events.tsx') },
];
