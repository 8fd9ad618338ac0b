import { who } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ customers: 'Customers' }, { customers: 'Pelanggan' });

export const pages: readonly Page[] = [
  {
    path: '/customers',
    load: () => import('./list.tsx'),
    place: {
      group: 'business',
      order: 10,
      icon: 'people',
      label: () => words().customers,
      needs: 'customers:read',
      // For a customer there is one, itself.
      isOffered: () => who.value?.customer === undefined,
    },
  },
  { path: '/customers/:id', load: () => import('./customer.tsx') },
];
