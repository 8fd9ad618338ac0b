import type { Route } from '../route.ts';

/** Method and path as one word. It is unique, because method and path are. */
export function operationId(definition: Route): string {
  const parts = definition.path
    .replaceAll(/[{}]/g, '')
    .split(/[/_.-]/)
    .filter(Boolean);
  return definition.method.toLowerCase() + parts.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}
