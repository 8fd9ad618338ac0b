import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ operations: 'Operations' }, { operations: 'Operasi' });

export const pages: readonly Page[] = [
  {
    path: '/operations',
    load: () => import('./list.tsx'),
    place: { group: 'names', order: 40, icon: 'steps', label: () => words().operations, needs: 'domains:read' },
  },
  { path: '/operations/:id', load: () => import('./operation.tsx') },
];
