import { badField } from '../errors.ts';
import { type CsvRow, missingColumns, parseCsv } from '../pricing/csv.ts';
import { paymentLimits } from './payment.ts';
import { plainText } from './plain-text.ts';

const columns = ['amount', 'reference', 'currency', 'date', 'id'] as const;
export type Places = Partial<Record<(typeof columns)[number], number>>;

/** Lines that banks write above the columns: their name, the account, the period, and `sep=;` for spreadsheets. */
const preambleLines = 20;
const separators = [';', '\t', ','];

/** The first line that names the columns, and the separator: a semicolon or a tab if amounts contain commas. */
function headerIn(text: string): { readonly offset: number; readonly line: number; readonly separator: string } {
  let offset = 0;
  for (let line = 0; line < preambleLines && offset < text.length; line += 1) {
    const end = text.indexOf('\n', offset);
    const head = text.slice(offset, end === -1 ? text.length : end);
    const separator = separators.find((sign) => {
      const names = head.split(sign).map((name) => plainText(name.replaceAll('"', '')).toLowerCase());
      return names.includes('amount') && names.includes('reference');
    });
    if (separator !== undefined) return { offset, line, separator };
    if (end === -1) break;
    offset = end + 1;
  }
  return { offset: 0, line: 0, separator: ',' };
}

interface Table {
  readonly rows: readonly CsvRow[];
  readonly places: Places;
  /** All columns, each once; empty if missing. */
  readonly names: readonly string[];
}

export function readTable(text: string): Table {
  const { offset, line: above, separator } = headerIn(text);
  const parsed = parseCsv(text.slice(offset), separator);
  if (!parsed) throw badField('csv', 'A quotation mark is opened and never closed. Close it, or remove it.');
  const [header, ...rows] = parsed;
  const places = columnPlaces(header);
  const names = columnNames(header!);
  if (names.length > paymentLimits.csvColumns)
    throw badField('csv', `Must have at most ${paymentLimits.csvColumns} columns.`, 'too_many');
  const wide = rows.find(({ fields }) => fields.slice(header!.fields.length).some((cell) => cell.trim() !== ''));
  if (wide)
    throw badField(
      'csv',
      `Line ${wide.line + above} has more cells than there are columns. Put values that contain the separator in quotation marks.`,
    );
  return { rows: rows.map(({ line, fields }) => ({ line: line + above, fields })), places, names };
}

function columnNames({ fields }: CsvRow): string[] {
  const counts = new Map<string, number>();
  return fields.map((field) => {
    const name = plainText(field).toLowerCase();
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return nth === 1 ? name : `${name} #${nth}`;
  });
}

function columnPlaces(header: CsvRow | undefined): Places {
  const names = header?.fields.map((name) => plainText(name).toLowerCase()) ?? [];
  const places: Places = {};
  for (const column of columns) {
    const place = names.indexOf(column);
    if (place !== names.lastIndexOf(column)) throw badField('csv', `Column ${column} is listed twice.`);
    if (place !== -1) places[column] = place;
  }
  const missing = (['amount', 'reference'] as const).filter((column) => places[column] === undefined);
  if (missing.length > 0) throw missingColumns(missing, columns);
  return places;
}
