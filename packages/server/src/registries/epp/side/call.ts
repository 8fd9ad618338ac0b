import type { Reply } from '../../../core/ports/registry.ts';
import type { SideSettings } from './settings.ts';

/** The columns of an answer, by name in capitals. */
export type Columns = ReadonlyMap<string, readonly string[]>;

export interface Side {
  readonly settings: SideSettings;
  /** The current login, which may change while the service runs. */
  readonly credentials: () => Promise<{ readonly clID: string; readonly pw: string }>;
}

type Parameters = Readonly<Record<string, string | number>>;

/**
 * One query of the HTTP API. Only queries are sent, so every failure means that nothing changed. The login is in the body, never in the
 * URL, and no message contains the body.
 */
export async function call(side: Side, command: string, parameters: Parameters = {}): Promise<Reply<Columns>> {
  const { url, timeoutMs, answerBytes } = side.settings;
  const { clID, pw } = await side.credentials();
  const body = new URLSearchParams({ s_login: clID, s_pw: pw, command });
  for (const [name, value] of Object.entries(parameters)) body.set(name, String(value));
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { accept: 'text/plain' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await textWithin(response, answerBytes);
    if (!response.ok) return { kind: 'unsent', why: `the HTTP API answered ${command} with status ${response.status}` };
    return read(command, text);
  } catch (error) {
    return { kind: 'unsent', why: `the HTTP API did not answer ${command}: ${reasonOf(error)}` };
  }
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
};

async function textWithin(response: Response, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > most) throw new Error(`its answer is longer than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const line = /^\s*([a-z]+)(?:\[([^\]]*)\]\[(\d{1,7})\])?\s*=\s?(.*)$/i;

/** `[RESPONSE]`, then `code`, `description` and `property[NAME][row]`, then `EOF`. A cut answer has no `EOF`. */
function read(command: string, text: string): Reply<Columns> {
  const lines = text.split(/\r?\n/).map((each) => each.trimEnd());
  const begin = lines.findIndex((each) => each.trim().toUpperCase() === '[RESPONSE]');
  const end = lines.findIndex((each) => each.trim().toUpperCase() === 'EOF');
  if (begin === -1 || end === -1)
    return { kind: 'unsent', why: `the answer of the HTTP API to ${command} is not complete` };
  const columns = new Map<string, string[]>();
  const single: Record<string, string> = {};
  for (const each of lines.slice(begin + 1, end)) {
    const [, kind = '', name, row, value = ''] = line.exec(each) ?? [];
    if (name === undefined) single[kind.toLowerCase()] = value.trim();
    else if (kind.toLowerCase() === 'property') columnOf(columns, name.toUpperCase())[Number(row)] = value.trim();
  }
  const said = `${single.code ?? ''} ${single.description ?? ''}`.trim();
  const evidence = { text: `${command}: ${said}` };
  if (/^2\d\d$/.test(single.code ?? '')) return { kind: 'done', data: columns, pending: false, evidence };
  // 5xx is a refusal, such as 530 for a wrong password; everything else is temporary.
  if (/^5\d\d$/.test(single.code ?? '')) return { kind: 'refused', evidence };
  return { kind: 'unsent', why: `the HTTP API answered ${command} with ${said === '' ? 'no code' : said}` };
}

function columnOf(columns: Map<string, string[]>, name: string): string[] {
  const found = columns.get(name) ?? [];
  columns.set(name, found);
  return found;
}

/** The first value of a column. */
export const first = (columns: Columns, name: string): string | undefined => columns.get(name)?.[0] || undefined;

/** Rows that have a value in this column, with the values of the others. */
export function rowsOf(columns: Columns, key: string): ((name: string) => string | undefined)[] {
  return (columns.get(key) ?? []).flatMap((value, row) =>
    value ? [(name: string) => columns.get(name)?.[row] || undefined] : [],
  );
}

/** Reads pages until one is not full, or all rows that the answer states were read. */
export async function eachPage<T>(
  side: Side,
  command: string,
  parameters: Parameters,
  rows: (columns: Columns) => readonly T[],
  take: (rows: readonly T[]) => Promise<void>,
): Promise<Reply<null>> {
  const { rowsPerPage } = side.settings;
  for (let at = 0; at < mostRows; ) {
    const reply = await call(side, command, { ...parameters, FIRST: at, LIMIT: rowsPerPage });
    if (reply.kind !== 'done') return reply;
    const found = rows(reply.data);
    const count = Number(first(reply.data, 'COUNT') ?? Number.NaN);
    if (!Number.isInteger(count) || count < 0)
      return { kind: 'unsent', why: `the answer of the HTTP API to ${command} has no number of rows` };
    if (found.length > 0) await take(found);
    at += count;
    const total = Number(first(reply.data, 'TOTAL') ?? Number.NaN);
    if (count === 0 || (Number.isNaN(total) ? count < rowsPerPage : at >= total)) return { ...reply, data: null };
  }
  return { kind: 'unsent', why: `the answer of the HTTP API to ${command} has more than ${mostRows} rows` };
}

const mostRows = 5_000_000;

/** `2018-08-20 13:48:04`, in the time zone of the settings. */
export function timeOf(side: Side, text: string | undefined): Date | null {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?/.exec(text ?? '') ?? [];
  const at = new Date(`${day}T${time}${side.settings.utcOffset}`);
  return day === undefined || Number.isNaN(at.getTime()) ? null : at;
}
