import { call } from '../api/call.ts';
import { changed } from '../data/resource.ts';
import { who } from '../session/who.ts';

/** Another factor ends the other sessions, and may end the wait for one. */
export async function factorsChanged(): Promise<void> {
  await changed('/me');
  who.value = (await call('get', '/session', {})).body;
}
