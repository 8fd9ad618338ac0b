import { inBoth } from '../words/speak.ts';

/** Other pages lead here: they have these words alone. */
export const label = inBoth({ title: 'Transfer in' }, { title: 'Transfer masuk' });
