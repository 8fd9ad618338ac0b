import { times } from '../support/times.ts';
import type { FaultRule } from './simulators/faults.ts';

export type FaultRow = Omit<FaultRule, 'call' | 'kind'> & { readonly kind: FaultRule['kind'] | 'none' };

/**
 * The faults of a table. In the lenient form of a simulator, only the long run tries all of them. Other runs try a lost answer, because
 * only there a repeated order would be charged twice.
 */
export const faultRows = <T extends FaultRow>(form: 'strict' | 'lenient', all: readonly T[]): readonly T[] =>
  all.filter(({ kind }) => kind === 'lost_after' || times(form === 'strict' ? 1 : 0, 1) === 1);
