import { defineMessages } from '../messages/locale.ts';
import { isCustomer } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ brand: 'Brand' }, { brand: 'Merek' });

export const pages: readonly Page[] = [
  {
    path: '/brand',
    load: () => import('./brand.tsx'),
    place: {
      group: 'account',
      order: 30,
      icon: 'brand',
      label: () => messages().brand,
      needs: 'account:read',
      isOffered: () => !isCustomer(),
    },
  },
];
