import type { Route } from '../route.ts';
import { operationNames } from './operation-names.ts';

/** The name of a call for clients. An earlier path has the name of the call that replaced it, with `Former`. */
export function operationId(definition: Route, names = operationNames): string {
  const key = definition.isFormer
    ? definition.deprecated!.instead.replace(' /v1/', ' /')
    : `${definition.method} ${definition.path}`;
  const name = names[key];
  if (name === undefined) throw new Error(`${key} has no name in operation-names.ts`);
  return definition.isFormer ? `${name}Former` : name;
}
