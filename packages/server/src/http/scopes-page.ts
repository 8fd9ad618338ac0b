import { allows, scopeNames } from '../core/keys/key.ts';
import { neededScopes, type Route } from './route.ts';

/** docs/guide/scopes.md: the scopes of each call. A test reads it and tries every operation with every scope. */
export function scopesPage(routes: readonly Route[]): string {
  const rows = routes.map((definition) => {
    const open = openingScopes(definition);
    const ofKeys = open.length === scopeNames.length ? 'every key' : open.map((scope) => `\`${scope}\``).join(' ');
    const shown = definition.forUsers ? 'users only, no API keys' : ofKeys;
    return `| \`${definition.method} /v1${definition.path}\` | ${shown} |`;
  });
  return `# Scopes

This page lists which scopes allow which call. A key with any one of the scopes in the second column can make the call;
other keys get 403 \`scope_missing\`. A key with several scopes can make all calls that they allow. Signed-in users have
the scopes of their role. [Authentication](authentication.md) explains scopes and keys.

| call | allowed with |
|---|---|
${rows.join('\n')}
`;
}

function openingScopes(definition: Route): string[] {
  const needed = neededScopes(definition);
  return scopeNames.filter((name) => needed.length === 0 || needed.some((scope) => allows([name], scope)));
}
