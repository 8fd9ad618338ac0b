import { defineMessages } from '../messages/locale.ts';

/** Separate from the other messages, because the navigation is on every page. */
export const label = defineMessages({ domains: 'Domains' }, { domains: 'Domain' });
