import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By themselves: the other words are loaded with the pages.
const words = inBoth(
  {
    alarms: 'Alerts',
    registries: 'Registries',
    nameservers: 'Nameservers',
    tlds: 'TLDs',
    jobs: 'Jobs',
    books: 'Reconciliation',
    settings: 'Configuration',
  },
  {
    alarms: 'Peringatan',
    registries: 'Registri',
    nameservers: 'Nameserver',
    tlds: 'TLD',
    jobs: 'Tugas',
    books: 'Rekonsiliasi',
    settings: 'Konfigurasi',
  },
);

/** Not offered to anybody but the operator (`isOffered`); the service refuses the calls too. */
const place = { group: 'operator', needs: 'account:read' } as const;

export const pages: readonly Page[] = [
  {
    path: '/operator/alarms',
    load: () => import('./alarms.tsx'),
    place: { ...place, order: 10, icon: 'bell', label: () => words().alarms },
  },
  {
    path: '/operator/registries',
    load: () => import('./registries.tsx'),
    place: { ...place, order: 20, icon: 'server', label: () => words().registries },
  },
  {
    path: '/operator/nameservers',
    load: () => import('./nameservers.tsx'),
    place: { ...place, order: 30, icon: 'globe', label: () => words().nameservers },
  },
  {
    path: '/operator/tlds',
    load: () => import('./tlds.tsx'),
    place: { ...place, order: 40, icon: 'tree', label: () => words().tlds },
  },
  {
    path: '/operator/jobs',
    load: () => import('./jobs.tsx'),
    place: { ...place, order: 50, icon: 'clock', label: () => words().jobs },
  },
  {
    path: '/operator/books',
    load: () => import('./books.tsx'),
    place: { ...place, order: 60, icon: 'check', label: () => words().books },
  },
  {
    path: '/operator/settings',
    load: () => import('./settings.tsx'),
    place: { ...place, order: 70, icon: 'gauge', label: () => words().settings },
  },
];
