import { isCustomer, may } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ invoices: 'Invoices' }, { invoices: 'Tagihan' });

export const pages: readonly Page[] = [
  {
    path: '/invoices',
    load: () => import('./list.tsx'),
    place: {
      group: 'business',
      order: 22,
      icon: 'copy',
      label: () => words().invoices,
      isOffered: () => may('billing:read') && !isCustomer(),
    },
  },
  { path: '/invoices/:id', load: () => import('./invoice.tsx') },
];
