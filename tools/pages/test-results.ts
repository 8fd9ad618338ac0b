import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One section of docs/operate/test-results.md, from test/recorded-results/<name>.json: the result of a long run, or a table of runs. */
interface TrustSection {
  readonly title: string;
  /** The test, in a sentence or two. */
  readonly about: string;
  /** Of the whole section; a table of many runs has them in its rows. */
  readonly command?: string;
  readonly date?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What it does not prove. */
  readonly limits: readonly string[];
}

/** Every file of the folder is a section, in the order of their names. */
export function testResultsPage(folder: string): string {
  const sections = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as TrustSection);
  const intro =
    '# Test results\n\nThis page shows the results of the last load, fault, security and speed tests. Each has its command and its date. Tests that were not run are marked.\n';
  return [intro, ...sections.map(sectionText)].join('\n');
}

function sectionText({ title, about, command, date, columns, rows, limits }: TrustSection): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
  const notes = limits.length === 0 ? '' : `\n${limits.map((each) => `- ${each}`).join('\n')}\n`;
  const run = command === undefined ? '' : `\n\`\`\`sh\n${command}\n\`\`\`\n\nRun on ${date}.\n`;
  return `## ${title}\n\n${about}\n${run}\n${table}\n${notes}`;
}
