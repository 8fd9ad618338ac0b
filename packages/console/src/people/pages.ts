import { isCustomer } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ people: 'Users' }, { people: 'Pengguna' });

export const pages: readonly Page[] = [
  {
    path: '/people',
    load: () => import('./list.tsx'),
    place: {
      group: 'account',
      order: 20,
      icon: 'person',
      label: () => words().people,
      needs: 'account:read',
      isOffered: () => !isCustomer(),
    },
  },
];
