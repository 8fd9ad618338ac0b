import { defineMessages } from '../messages/locale.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the page.
const messages = defineMessages({ reports: 'Reports' }, { reports: 'Laporan' });

/** For the operator only. */
export const pages: readonly Page[] = [
  {
    path: '/operator/figures',
    load: () => import('./reports.tsx'),
    place: { group: 'operator', needs: 'account:read', order: 65, icon: 'gauge', label: () => messages().reports },
  },
];
