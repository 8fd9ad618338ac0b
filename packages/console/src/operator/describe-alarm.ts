import type { Schema } from '../api/shapes.ts';
import { messages } from './messages.ts';

/** Keys whose kind has more than one part. */
const parts = ['registry', 'invoices', 'operations', 'comparison'];

/** The alert text in Indonesian by key. Otherwise the sentence of the service. */
export function describeAlarm({ key, sentence }: Pick<Schema<'Alarm'>, 'key' | 'sentence'>): string {
  const [first = '', second = '', third = ''] = key.split(':');
  const code = first === 'registry' ? `registry:${third}` : parts.includes(first) ? `${first}:${second}` : first;
  return messages().alertTexts[code]?.(second) ?? sentence;
}
