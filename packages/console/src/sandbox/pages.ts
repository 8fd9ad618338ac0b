import { who } from '../session/who.ts';
import type { Page } from '../shell/page.ts';
import { inBoth } from '../words/speak.ts';

// By itself: the other words are loaded with the page.
const words = inBoth({ clockAndFaults: 'Clock and faults' }, { clockAndFaults: 'Jam dan gangguan' });

export const pages: readonly Page[] = [
  {
    path: '/sandbox',
    load: () => import('./sandbox.tsx'),
    place: {
      group: 'sandbox',
      order: 10,
      icon: 'beaker',
      label: () => words().clockAndFaults,
      needs: 'domains:read',
      isOffered: () => who.value?.is_sandbox === true && !who.value.customer,
    },
  },
];
