import { SettingError } from '../config.ts';
import { Refusal } from '../core/errors.ts';
import { wholeSeconds } from '../core/whole-seconds.ts';
import { release } from '../release.ts';
import { type Command, parse, type Tools, UsageError } from './command.ts';
import { aliasNote, commands, commandsIn, findCommand } from './commands.ts';

/** Exit codes: 0 done, 1 refused, failed or differences found, 2 wrong use, 3 comparison not completed. */
export async function runCommand(argv: string[], tools: Tools): Promise<number> {
  const wantsJson = argv.includes('--json');
  if (argv[0] === '--version' || argv[0] === 'version') {
    console.log(wantsJson ? JSON.stringify({ version: release }) : `namehold ${release}`);
    return 0;
  }
  const found = findCommand(argv);
  if (!found) {
    const group = argv.slice(1).some((word) => ['--help', '-h'].includes(word)) ? commandsIn(argv[0]!) : [];
    if (group.length > 0) {
      console.log(group.map(help).join('\n\n'));
      return 0;
    }
    const wantsHelp = argv.length === 0 || ['help', '--help', '-h'].includes(argv[0]!);
    console.log(overview(wantsHelp ? '' : argv.join(' ')));
    return wantsHelp ? 0 : 2;
  }
  const { command, length } = found;
  const rest = argv.slice(length);
  if (rest.includes('--help')) {
    console.log(help(command));
    return 0;
  }
  try {
    const { positionals, options } = parse(command, rest);
    const outcome = await command.run({ tools, positionals, options });
    if (wantsJson && outcome.json !== undefined) console.log(JSON.stringify(outcome.json, plain, 2));
    else for (const line of outcome.lines ?? []) console.log(line);
    return outcome.exitCode ?? 0;
  } catch (error) {
    return report(command, error, wantsJson);
  }
}

const plain = (key: string, value: unknown) =>
  typeof value === 'bigint' ? value.toString() : wholeSeconds(key, value);

function report(command: Command, error: unknown, wantsJson: boolean): number {
  const known = error instanceof UsageError || error instanceof Refusal || error instanceof SettingError;
  const message = known ? (error as Error).message : `${(error as Error).message}`;
  if (wantsJson)
    console.log(
      JSON.stringify({
        error: message,
        ...(error instanceof Refusal ? { code: error.code, errors: error.details.errors } : {}),
      }),
    );
  else console.error(`namehold ${command.name}: ${message}`);
  if (error instanceof UsageError && !wantsJson) console.error(`\nusage: namehold ${command.usage}`);
  return error instanceof UsageError ? 2 : 1;
}

function overview(unknown: string): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const rows = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}${aliasNote(command)}`);
  return [
    ...(unknown ? [`namehold: unknown command "${unknown}"`, ''] : []),
    'namehold: a self-hosted domain reseller platform',
    '',
    ...rows,
    '',
    'namehold COMMAND --help  options of a command',
    'namehold COMMAND --json  output as JSON',
    'namehold --version       release of this installation',
    '',
    'Settings are environment variables: docs/operate/settings.md',
  ].join('\n');
}

function help(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(
    ([name, option]) => `  --${name}${option.type === 'string' ? ' VALUE' : ''}  ${option.about}${aliasNote(option)}`,
  );
  return [
    `${command.summary}${aliasNote(command)}`,
    '',
    `usage: namehold ${command.usage}`,
    ...(options.length > 0 ? ['', ...options] : []),
  ].join('\n');
}
