import { badField, type Refusal } from '../errors.ts';

/** RFC 4180: quoted fields may hold commas, line ends and doubled quotes. Each row keeps the number of its first line. */
export interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Null: a quote is never closed, so the ends of its rows are unknown. */
export function parseCsv(text: string, separator = ','): CsvRow[] | null {
  const rows: CsvRow[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let line = 1;
  let beganAt = 1;
  const endRow = () => {
    fields.push(field);
    if (fields.length > 1 || field.trim() !== '') rows.push({ line: beganAt, fields });
    fields = [];
    field = '';
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') field += text[++i];
      else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"' && field.trim() === '') {
      quoted = true;
      field = '';
    } else if (c === separator) {
      fields.push(field);
      field = '';
    } else if (c === '\n') endRow();
    else if (c !== '\r') field += c;
    if (c === '\n') {
      line++;
      if (!quoted) beganAt = line;
    }
  }
  if (quoted) return null;
  endRow();
  return rows;
}

export const missingColumns = (missing: readonly string[], allowed: readonly string[]): Refusal =>
  badField(
    'csv',
    `The first line must name the columns. Missing: ${missing.join(', ')}. Allowed columns: ${allowed.join(', ')}.`,
    'required',
  );
