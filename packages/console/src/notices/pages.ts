import { isCustomer, may } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ notices: 'Emails' }, { notices: 'Email' });

export const pages: readonly Page[] = [
  {
    path: '/notices',
    load: () => import('./list.tsx'),
    place: {
      group: 'account',
      order: 35,
      icon: 'mail',
      label: () => words().notices,
      isOffered: () => may('account:read') && !isCustomer(),
    },
  },
  { path: '/notices/:id', load: () => import('./notice.tsx') },
];
