import { isCustomer } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

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
