import { defineMessages } from '../messages/locale.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ keys: 'API keys' }, { keys: 'Kunci API' });

export const pages: readonly Page[] = [
  {
    path: '/keys',
    load: () => import('./list.tsx'),
    place: { group: 'account', order: 10, icon: 'key', label: () => messages().keys, needs: 'account:read' },
  },
];
