import { isCustomer } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ brand: 'Brand' }, { brand: 'Merek' });

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
