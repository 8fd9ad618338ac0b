/** How often: so often at every commit, and as often as it pays in the long run. */
export const times = (short: number, long: number): number => (process.env.NAMEHOLD_TESTS === 'long' ? long : short);
