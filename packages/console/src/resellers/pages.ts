import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ resellers: 'Sub-resellers' }, { resellers: 'Sub-reseller' });

export const pages: readonly Page[] = [
  {
    path: '/resellers',
    load: () => import('./tree.tsx'),
    place: { group: 'business', order: 30, icon: 'tree', label: () => words().resellers, needs: 'resellers:read' },
  },
  { path: '/resellers/:id', load: () => import('./reseller.tsx') },
];
