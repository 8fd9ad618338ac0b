import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ keys: 'API keys' }, { keys: 'Kunci API' });

export const pages: readonly Page[] = [
  {
    path: '/keys',
    load: () => import('./list.tsx'),
    place: { group: 'account', order: 10, icon: 'key', label: () => words().keys, needs: 'account:read' },
  },
];
