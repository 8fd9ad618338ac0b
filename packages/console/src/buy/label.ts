import { inBoth } from '../words/speak.ts';

/** In the navigation of every page: the other words come with the page. */
export const label = inBoth({ title: 'Register domain' }, { title: 'Daftarkan domain' });
