import { inBoth } from '../words/speak.ts';

/** In the navigation of every page: the other words come with the pages. */
export const label = inBoth({ domains: 'Domains' }, { domains: 'Domain' });
