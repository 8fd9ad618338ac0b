import { allows, scopeWords } from '../core/keys/key.ts';
import { neededScopes, type Route } from './route.ts';

/** docs/guide/scopes.md: what each scope opens. A test reads it and tries every operation with every scope. */
export function scopesPage(routes: readonly Route[]): string {
  const rows = routes.map((definition) => {
    const open = openingScopes(definition);
    const ofKeys = open.length === scopeWords.length ? 'every key' : open.map((scope) => `\`${scope}\``).join(' ');
    const shown = definition.forPeople ? 'no key: people alone' : ofKeys;
    return `| \`${definition.method} /v1${definition.path}\` | ${shown} |`;
  });
  return `# Scopes and what they open

A key with any one of the scopes in the second column may make the call; every other key gets 403 \`scope_missing\`. A key with
several scopes may do what each of them opens. People who sign in have the scopes of their role. A key manages only keys that may do no more than itself: \`full\` manages all.

| call | allowed with |
|---|---|
${rows.join('\n')}
`;
}

function openingScopes(definition: Route): string[] {
  const needed = neededScopes(definition);
  return scopeWords.filter((word) => needed.length === 0 || needed.some((scope) => allows([word], scope)));
}
