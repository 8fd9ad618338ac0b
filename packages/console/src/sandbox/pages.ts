import { defineMessages } from '../messages/locale.ts';
import { currentSession } from '../session/current-session.ts';
import type { Page } from '../shell/page.ts';

// Separate from the other messages, which are loaded with the page.
const messages = defineMessages({ clockAndFaults: 'Test tools' }, { clockAndFaults: 'Alat uji' });

export const pages: readonly Page[] = [
  {
    path: '/sandbox',
    load: () => import('./sandbox.tsx'),
    place: {
      group: 'sandbox',
      order: 10,
      icon: 'beaker',
      label: () => messages().clockAndFaults,
      needs: 'domains:read',
      isOffered: () => currentSession.value?.is_sandbox === true && !currentSession.value.customer,
    },
  },
];
