import { call } from '../api/call.ts';
import { invalidate } from '../data/resource.ts';
import { currentSession } from '../session/current-session.ts';

/** Reloads the brand and the session, so that the shell shows the change. */
export async function brandChanged(): Promise<void> {
  await invalidate('/brand');
  currentSession.value = (await call('get', '/session', {})).body;
}
