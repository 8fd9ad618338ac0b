import { isCustomer } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { words } from './words.ts';

export const pages: readonly Page[] = [
  {
    path: '/brand',
    load: () => import('./brand.tsx'),
    place: {
      group: 'account',
      order: 30,
      icon: 'brand',
      label: () => words().brand,
      needs: 'account:read',
      isOffered: () => !isCustomer(),
    },
  },
];
