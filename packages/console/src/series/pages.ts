import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By themselves: the other words are loaded with the page.
const words = inBoth({ figures: 'Reports' }, { figures: 'Laporan' });

/** Not offered to anybody but the operator, as its other pages. */
export const pages: readonly Page[] = [
  {
    path: '/operator/figures',
    load: () => import('./figures.tsx'),
    place: { group: 'operator', needs: 'account:read', order: 65, icon: 'gauge', label: () => words().figures },
  },
];
