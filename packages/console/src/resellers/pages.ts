import { defineMessages } from '../messages/locale.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages({ resellers: 'Sub-resellers' }, { resellers: 'Sub-reseller' });

export const pages: readonly Page[] = [
  {
    path: '/resellers',
    load: () => import('./tree.tsx'),
    place: { group: 'business', order: 30, icon: 'tree', label: () => messages().resellers, needs: 'resellers:read' },
  },
  { path: '/resellers/:id', load: () => import('./reseller.tsx') },
];
