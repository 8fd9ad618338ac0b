import { scopeNames } from '../../packages/server/src/core/keys/key.ts';
import { missingScopes, neededScopes, type Route } from '../../packages/server/src/http/route.ts';

/** docs/guide/scopes.md: the scopes of each call. A test reads it and tries every operation with every scope. */
export function scopesPage(routes: readonly Route[]): string {
  const rows = routes.map((definition) => {
    const open = openingScopes(definition);
    const ofKeys = open.length === scopeNames.length ? 'every key' : open.map((scope) => `\`${scope}\``).join(' ');
    const both = definition.alsoScope === undefined ? '' : ', or [two scopes](#calls-that-need-two-scopes)';
    const shown = definition.forUsers ? 'users only, no API keys' : `${ofKeys}${both}`;
    return `| \`${definition.method} /v1${definition.path}\` | ${shown} |`;
  });
  const pairs = routes
    .filter(({ alsoScope }) => alsoScope !== undefined)
    .map((each) => `- \`${each.method} /v1${each.path}\`: \`${neededScopes(each)[0]}\` and \`${each.alsoScope}\``);
  return `# Scopes

This page lists which scopes allow which call. A key with any one of the scopes in the second column can make the call;
other keys get 403 \`scope_missing\`. A key with several scopes can make all calls that they allow. Signed-in users have
the scopes of their role. [Authentication](authentication.md) explains scopes and keys.

| call | allowed with |
|---|---|
${rows.join('\n')}

## Calls that need two scopes

Without \`full\`, these calls need both scopes, because they have an effect in another area.

${pairs.join('\n')}
`;
}

const openingScopes = (definition: Route): string[] =>
  scopeNames.filter((word) => missingScopes(definition, [word]).length === 0);
