import { ApiError } from '../api/error.ts';
import { messages } from './messages.ts';

interface Records {
  readonly name: string;
  readonly type: string;
  readonly records: readonly string[];
}

const plain = (text = '') => text.replace(/\.$/, '');
const mostShown = 5;

/** An error about existing DNS records names the checkbox that replaces them, instead of the parameter of the API. */
export function namingCheckbox(error: ApiError | undefined, checkbox: string): ApiError | undefined {
  const { records, replace_records: isSolvable } = (error?.facts ?? {}) as {
    readonly records?: readonly Records[];
    readonly replace_records?: unknown;
  };
  if (!error || !records || isSolvable === undefined) return error;
  const shown = records
    .slice(0, mostShown)
    .map(({ name, type, records: [first] }) => `${plain(name)} ${type} ${plain(first)}`);
  const message = messages().inTheWay(shown.join('; '), checkbox);
  return new ApiError(error.status, { ...error.facts, code: 'records_in_the_way', message });
}
