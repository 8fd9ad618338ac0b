import { defineMessages } from '../messages/locale.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the pages.
const messages = defineMessages(
  {
    alarms: 'Alerts',
    registries: 'Registries',
    nameservers: 'Nameservers',
    tlds: 'TLDs',
    jobs: 'Jobs',
    reconciliation: 'Reconciliation',
    settings: 'Configuration',
  },
  {
    alarms: 'Peringatan',
    registries: 'Registri',
    nameservers: 'Nameserver',
    tlds: 'TLD',
    jobs: 'Tugas',
    reconciliation: 'Rekonsiliasi',
    settings: 'Konfigurasi',
  },
);

/** Hidden from everyone except the operator (`isOffered`). The API also refuses these calls. */
const place = { group: 'operator', needs: 'account:read' } as const;

export const pages: readonly Page[] = [
  {
    path: '/operator/alarms',
    load: () => import('./alarms.tsx'),
    place: { ...place, order: 10, icon: 'bell', label: () => messages().alarms },
  },
  {
    path: '/operator/registries',
    load: () => import('./registries.tsx'),
    place: { ...place, order: 20, icon: 'server', label: () => messages().registries },
  },
  { path: '/operator/registries/add', load: () => import('./add-upstream.tsx') },
  {
    path: '/operator/nameservers',
    load: () => import('./nameservers.tsx'),
    place: { ...place, order: 30, icon: 'globe', label: () => messages().nameservers },
  },
  {
    path: '/operator/tlds',
    load: () => import('./tlds.tsx'),
    place: { ...place, order: 40, icon: 'tree', label: () => messages().tlds },
  },
  {
    path: '/operator/jobs',
    load: () => import('./jobs.tsx'),
    place: { ...place, order: 50, icon: 'clock', label: () => messages().jobs },
  },
  {
    path: '/operator/reconciliation',
    formerPath: '/operator/books',
    load: () => import('./reconciliation.tsx'),
    place: { ...place, order: 60, icon: 'check', label: () => messages().reconciliation },
  },
  {
    path: '/operator/settings',
    load: () => import('./settings.tsx'),
    place: { ...place, order: 70, icon: 'gauge', label: () => messages().settings },
  },
];
