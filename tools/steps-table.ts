import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { steps } from '../packages/server/src/http/request-pipeline.ts';

const folder = 'packages/server/src/http/steps';
const phases: Record<keyof typeof steps, string> = {
  beforeBody: 'before the body',
  afterBody: 'after the body',
  afterError: 'after an error',
  afterAnswer: 'after the answer',
};

/** The steps of a request, as the comment of each step describes them. */
export function stepsTable(root: string): string {
  const rows = Object.entries(phases).flatMap(([phase, text]) =>
    steps[phase as keyof typeof steps].map(({ name }) => `| ${text} | \`${name}\` | ${described(root, name)} |`),
  );
  return `| when | step | task | failure | limit |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}

/** Each step states its task, who handles its failure, and its limit. */
function described(root: string, name: string): string {
  const path = `${folder}/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  const [, comment = ''] =
    new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export const ${name}\\b`).exec(
      readFileSync(join(root, path), 'utf8'),
    ) ?? [];
  const [, task, failure, limit] =
    /^(.+) Failure: (.+) Limit: (.+)$/.exec(
      comment
        .replaceAll(/\s*\n \* ?/g, ' ')
        .replaceAll(/ +/g, ' ')
        .trim(),
    ) ?? [];
  if (!task || !failure || !limit) throw new Error(`${path}: describe ${name} with its Failure and its Limit`);
  return [task, failure, limit].map((text) => text.replace(/\.$/, '')).join(' | ');
}
