import type { Page } from '../shell/page.ts';
import { label } from './label.ts';

export const pages: readonly Page[] = [
  {
    path: '/domains',
    load: () => import('./list.tsx'),
    place: { group: 'names', order: 10, icon: 'globe', label: () => label().domains, needs: 'domains:read' },
  },
  { path: '/domains/:name', load: () => import('./domain.tsx') },
  { path: '/domains/:name/nameservers', load: () => import('./nameservers.tsx') },
  { path: '/domains/:name/contacts', load: () => import('./contacts.tsx') },
  { path: '/domains/:name/log', load: () => import('./activity.tsx') },
];
