import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One section of docs/operate/trust.md, as a long run left it in test/trust/<name>.json. */
interface TrustSection {
  readonly title: string;
  /** What was done, in a sentence or two. */
  readonly about: string;
  readonly command: string;
  readonly date: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What it does not show. */
  readonly limits: readonly string[];
}

/** Every file of the folder is a section, in the order of their names. */
export function trustPage(folder: string): string {
  const sections = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as TrustSection);
  const intro =
    '# Why it can be trusted\n\nFigures of the last long runs. Nothing here is typed: each section is what a run wrote down, with its command and its date.\n';
  return [intro, ...sections.map(sectionText)].join('\n');
}

function sectionText({ title, about, command, date, columns, rows, limits }: TrustSection): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
  const notes = limits.length === 0 ? '' : `\n${limits.map((each) => `- ${each}`).join('\n')}\n`;
  return `## ${title}\n\n${about}\n\n\`\`\`sh\n${command}\n\`\`\`\n\nRun on ${date}.\n\n${table}\n${notes}`;
}
