import { may, who } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the pages.
const words = inBoth({ money: 'Balance', prices: 'Pricing' }, { money: 'Saldo', prices: 'Harga' });

export const pages: readonly Page[] = [
  {
    path: '/money',
    load: () => import('./money.tsx'),
    place: {
      group: 'business',
      order: 20,
      icon: 'coins',
      label: () => words().money,
      isOffered: () => may('account:read') || who.value?.customer !== undefined,
    },
  },
  {
    path: '/money/prices',
    load: () => import('./prices.tsx'),
    place: {
      group: 'business',
      order: 25,
      icon: 'list',
      label: () => words().prices,
      isOffered: () => may('account:read') && who.value?.customer === undefined,
    },
  },
];
