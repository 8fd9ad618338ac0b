import { defineMessages } from '../messages/locale.ts';
import { currentSession } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ customers: 'Customers' }, { customers: 'Pelanggan' });

export const pages: readonly Page[] = [
  {
    path: '/customers',
    load: () => import('./list.tsx'),
    place: {
      group: 'business',
      order: 10,
      icon: 'users',
      label: () => messages().customers,
      needs: 'customers:read',
      // Customers do not see this list.
      isOffered: () => currentSession.value?.customer === undefined,
    },
  },
  { path: '/customers/:id', load: () => import('./customer.tsx') },
];
