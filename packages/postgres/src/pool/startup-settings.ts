import pg from 'pg';

/** The settings in an address (`options=-c name=value …`, blanks and backslashes escaped), parsed as PostgreSQL does. */
export function startupSettings(url: string): [name: string, value: string][] {
  const options = new URL(url).searchParams.get('options') ?? '';
  const tokens = options.match(/(?:\\.|\S)+/g) ?? [];
  return tokens
    .map((word) => word.replaceAll(/\\(.)/g, '$1'))
    .filter((word) => word.includes('='))
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
}

/** The same by statement, for poolers that do not pass start parameters on. */
export const setConfigList = (settings: readonly (readonly [name: string, value: string])[]): string =>
  settings.map((pair) => `set_config(${pair.map((part) => pg.escapeLiteral(part)).join(', ')}, false)`).join(', ');
