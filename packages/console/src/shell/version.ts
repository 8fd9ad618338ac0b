import { signal } from '@preact/signals';

/** The server has a newer version of the console. */
export const isOutdated = signal(false);

const checkEveryMs = 5 * 60_000;
let first: string | null | undefined;

/** File names contain content hashes, so a different index page is a different version. */
async function checkVersion(): Promise<void> {
  const answer = await fetch('/app', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  const tag = answer?.headers.get('ETag');
  first ??= tag;
  if (tag && first && tag !== first) isOutdated.value = true;
}

export function watchVersion(): void {
  void checkVersion();
  setInterval(() => document.visibilityState === 'visible' && void checkVersion(), checkEveryMs);
}

/** Reloads the page once if a file of this version no longer exists. Drafts are kept. */
export function reloadOnce(error: unknown): never {
  if (sessionStorage.getItem('reloaded') === null) {
    sessionStorage.setItem('reloaded', '1');
    location.reload();
  }
  throw error;
}
