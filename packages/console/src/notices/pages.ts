import { defineMessages } from '../messages/locale.ts';
import { isCustomer, may } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ notices: 'Emails' }, { notices: 'Email' });

export const pages: readonly Page[] = [
  {
    path: '/notices',
    load: () => import('./list.tsx'),
    place: {
      group: 'account',
      order: 35,
      icon: 'mail',
      label: () => messages().notices,
      isOffered: () => may('account:read') && !isCustomer(),
    },
  },
  { path: '/notices/:id', load: () => import('./notice.tsx') },
];
