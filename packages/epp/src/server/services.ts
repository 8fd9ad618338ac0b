import type { Greeting } from '../model/session.ts';
import { extensionUris, objectUris } from '../profile.ts';
import type { EppServerOptions } from './types.ts';

/** RFC 5730 2.4: the greeting of this server, sent at connect and after every hello. */
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
