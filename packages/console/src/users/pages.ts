import { defineMessages } from '../messages/locale.ts';
import { isCustomer } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ users: 'Users' }, { users: 'Pengguna' });

export const pages: readonly Page[] = [
  {
    path: '/users',
    formerPath: '/people',
    load: () => import('./list.tsx'),
    place: {
      group: 'account',
      order: 20,
      icon: 'user',
      label: () => messages().users,
      needs: 'account:read',
      isOffered: () => !isCustomer(),
    },
  },
];
