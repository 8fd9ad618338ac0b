import { defineMessages } from '../messages/locale.ts';

/** Separate from the other messages, because other pages link here. */
export const label = defineMessages({ title: 'Moves between resellers' }, { title: 'Pindah antar-reseller' });
