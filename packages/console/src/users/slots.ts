import type { Slots } from '../shell/slots.ts';

export const slots: Slots = { bar: () => import('./factor-reset.tsx') };
