/** Iterations: the first number at every commit, the second in the long run. */
export const times = (short: number, long: number): number => (process.env.NAMEHOLD_TESTS === 'long' ? long : short);
