import { SettingError } from './values.ts';

type Environment = Record<string, string | undefined>;

/** Former names of settings and their current ones. A former name keeps working; each start logs a warning with the current name. */
export const formerNames: Readonly<Record<string, string>> = {
  NAMEHOLD_DATABASE_CLOCKWORK_URL: 'NAMEHOLD_DATABASE_SCHEDULER_URL',
  NAMEHOLD_DEMO_NAMES: 'NAMEHOLD_DEMO_DOMAINS',
  NAMEHOLD_DNS_TCP_QUESTIONS: 'NAMEHOLD_DNS_TCP_QUERIES',
  NAMEHOLD_HOLDER_CHANGES: 'NAMEHOLD_REGISTRANT_CHANGES',
  NAMEHOLD_LEAVE_MS: 'NAMEHOLD_SHUTDOWN_DELAY_MS',
  NAMEHOLD_VERIFY_HOLDERS: 'NAMEHOLD_VERIFY_REGISTRANTS',
};

interface FormerName {
  readonly former: string;
  readonly current: string;
}

/** The former names that an environment uses. An empty value counts as absent. */
export function formerNamesIn(env: Environment): FormerName[] {
  return Object.entries(formerNames)
    .filter(([former]) => Boolean(env[former]))
    .map(([former, current]) => ({ former, current }));
}

/** The environment with the values of former names under their current names. */
export function withCurrentNames(env: Environment): Environment {
  const found = formerNamesIn(env);
  const conflicts = found.filter(({ former, current }) => env[current] && env[current] !== env[former]);
  if (conflicts.length > 0)
    throw new SettingError(
      conflicts
        .map(
          ({ former, current }) =>
            `${former} is the former name of ${current}, and both are set differently; remove ${former}`,
        )
        .join('\n'),
    );
  const current = Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(formerNames, name)));
  for (const { former, current: name } of found) current[name] = env[former];
  return current;
}
