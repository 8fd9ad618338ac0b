import { isCustomer } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ templates: 'DNS templates' }, { templates: 'Templat DNS' });

export const pages: readonly Page[] = [
  { path: '/domains/:name/dns', load: () => import('./editor.tsx') },
  {
    path: '/templates',
    load: () => import('./template-list.tsx'),
    place: {
      group: 'names',
      order: 35,
      icon: 'server',
      label: () => words().templates,
      needs: 'dns:read',
      isOffered: () => !isCustomer(),
    },
  },
];
