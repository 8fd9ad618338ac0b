import { defineMessages } from '../messages/locale.ts';
import { isCustomer, may } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ invoices: 'Invoices' }, { invoices: 'Tagihan' });

export const pages: readonly Page[] = [
  {
    path: '/invoices',
    load: () => import('./list.tsx'),
    place: {
      group: 'business',
      order: 22,
      icon: 'copy',
      label: () => messages().invoices,
      isOffered: () => may('billing:read') && !isCustomer(),
    },
  },
  { path: '/invoices/:id', load: () => import('./invoice.tsx') },
];
