import type { Shape } from '../api/shapes.ts';
import { words } from './words.ts';

/** Keys that are named by more than their first word. */
const parts = ['registry', 'invoices', 'operations', 'comparison'];

/** An alarm in the reader's language, by its key; in the service's own sentence where that is English, or the key is new. */
export function sayAlarm({ key, sentence }: Pick<Shape<'Alarm'>, 'key' | 'sentence'>): string {
  const [first = '', second = '', third = ''] = key.split(':');
  const code = first === 'registry' ? `registry:${third}` : parts.includes(first) ? `${first}:${second}` : first;
  return words().alarmOf[code]?.(second) ?? sentence;
}
