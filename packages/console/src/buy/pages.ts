import { mayOrder } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';
import { label } from './label.ts';

export const pages: readonly Page[] = [
  {
    path: '/domains/new',
    load: () => import('./new.tsx'),
    place: {
      group: 'names',
      order: 20,
      icon: 'plus',
      label: () => label().title,
      needs: 'domains:write',
      isOffered: mayOrder,
    },
  },
];
