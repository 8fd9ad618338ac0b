import { call } from '../api/call.ts';
import { changed } from '../data/resource.ts';
import { currentSession } from '../session/current-session.ts';

/** Reloads the brand and the session, so that the shell shows the change. */
export async function brandChanged(): Promise<void> {
  await changed('/brand');
  currentSession.value = (await call('get', '/session', {})).body;
}
