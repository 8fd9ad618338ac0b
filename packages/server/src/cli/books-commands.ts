import { type Book, books, differenceKey, sentenceOf } from '../core/books/difference.ts';
import { verifyAndTell } from '../core/books/report.ts';
import { type Command, optional, UsageError } from './command.ts';

const verify: Command = {
  name: 'verify',
  summary: 'Compare the four books (entries, operations, domains, registry) and name every difference',
  usage: 'verify [--book entries,operations,domains,registry]',
  options: { book: { type: 'string', about: 'Only these books, with commas in between; default: all four.' } },
  async run(call) {
    const wanted = optional(call, 'book')?.split(',');
    const unknown = wanted?.find((each) => !(books as readonly string[]).includes(each));
    if (unknown !== undefined) throw new UsageError(`--book ${unknown}: there are ${books.join(', ')}`);
    const report = await call.tools.withHouse((house) => verifyAndTell(house, wanted as Book[] | undefined));
    const { counts, differences, found, skipped } = report;
    const lines = [
      Object.entries(counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
      ...skipped.map((each) => `registry ${each.registry_id} could not be compared: ${each.why}`),
      ...differences.flatMap((each) => [differenceKey(each), `  ${sentenceOf(each)}`, `  mend: ${each.mend.words}`]),
      found === 0 ? 'no differences' : `${found} differences. namehold mend --dry-run shows what would put them right`,
    ];
    return { lines, json: report, exitCode: found === 0 && skipped.length === 0 ? 0 : 1 };
  },
};

export const booksCommands: readonly Command[] = [verify];
