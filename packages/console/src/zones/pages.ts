import { defineMessages } from '../messages/locale.ts';
import { isCustomer } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ templates: 'DNS templates' }, { templates: 'Templat DNS' });

export const pages: readonly Page[] = [
  { path: '/domains/:name/dns', load: () => import('./editor.tsx') },
  {
    path: '/templates',
    load: () => import('./template-list.tsx'),
    place: {
      group: 'names',
      order: 35,
      icon: 'server',
      label: () => messages().templates,
      needs: 'dns:read',
      isOffered: () => !isCustomer(),
    },
  },
];
