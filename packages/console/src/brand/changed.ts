import { call } from '../api/call.ts';
import { changed } from '../data/resource.ts';
import { who } from '../session/who.ts';

/** The shell wears it at once. */
export async function brandChanged(): Promise<void> {
  await changed('/brand');
  who.value = (await call('get', '/session', {})).body;
}
