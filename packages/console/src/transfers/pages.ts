import { isCustomer } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';
import { label } from './label.ts';

export const pages: readonly Page[] = [
  {
    path: '/transfers',
    load: () => import('./transfers.tsx'),
    place: {
      group: 'names',
      order: 25,
      icon: 'down',
      label: () => label().title,
      needs: 'domains:write',
      isOffered: () => !isCustomer(),
    },
  },
];
