import type { Slots } from '../shell/slots.ts';

export const slots: Slots = { overlay: () => import('./overlay.tsx') };
