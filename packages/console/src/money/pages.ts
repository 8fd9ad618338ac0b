import { defineMessages } from '../messages/locale.ts';
import { currentSession, may } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages(
  { money: 'Balance', ofCustomer: 'Balance and invoices', prices: 'Pricing' },
  { money: 'Saldo', ofCustomer: 'Saldo dan tagihan', prices: 'Harga' },
);

export const pages: readonly Page[] = [
  {
    path: '/money',
    load: () => import('./money.tsx'),
    place: {
      group: 'business',
      order: 20,
      icon: 'coins',
      label: () => (currentSession.value?.customer ? messages().ofCustomer : messages().money),
      isOffered: () => may('account:read') || currentSession.value?.customer !== undefined,
    },
  },
  {
    path: '/money/prices',
    load: () => import('./prices.tsx'),
    place: {
      group: 'business',
      order: 25,
      icon: 'list',
      label: () => messages().prices,
      isOffered: () => may('account:read') && currentSession.value?.customer === undefined,
    },
  },
];
