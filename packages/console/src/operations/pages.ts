import { defineMessages } from '../messages/locale.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ operations: 'Operations' }, { operations: 'Operasi' });

export const pages: readonly Page[] = [
  {
    path: '/operations',
    load: () => import('./list.tsx'),
    place: { group: 'names', order: 40, icon: 'steps', label: () => messages().operations, needs: 'domains:read' },
  },
  { path: '/operations/:id', load: () => import('./operation.tsx') },
];
