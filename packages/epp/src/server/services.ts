import type { Greeting } from '../model/session.ts';
import type { Namespaces } from '../profile.ts';
import type { EppServerOptions } from './surface.ts';

const OBJECT_PARTS = ['domain', 'contact', 'host'] as const satisfies (keyof Namespaces)[];
const EXTENSION_PARTS = [
  'secDNS',
  'rgp',
  'fee',
  'loginSec',
  'secureAuthInfo',
  'unhandledNamespaces',
  'lowBalancePoll',
  'usNexus',
  'asiaCed',
] as const satisfies (keyof Namespaces)[];

function uris(ns: Namespaces, parts: readonly (keyof Namespaces)[]): string[] {
  return parts.flatMap((part) => ns[part] ?? []);
}

function objectUris(ns: Namespaces): string[] {
  return uris(ns, OBJECT_PARTS);
}

export function extensionUris(ns: Namespaces, others: readonly string[] = []): string[] {
  return [...uris(ns, EXTENSION_PARTS), ...others];
}

/** RFC 5730 2.4: what this server says of itself, at connect and at every hello. */
export function greetingNow(options: EppServerOptions, nowMs: number): Greeting {
  return {
    svID: options.svID,
    svDate: new Date(nowMs),
    versions: ['1.0'],
    langs: ['en'],
    objURIs: objectUris(options.namespaces),
    extURIs: extensionUris(options.namespaces, options.otherExtensionURIs),
    ...options.greeting?.(),
  };
}
