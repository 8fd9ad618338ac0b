import { signal } from '@preact/signals';

/** A newer console is served than the one that runs here. */
export const isOutdated = signal(false);

const lookEveryMs = 5 * 60_000;
let first: string | null | undefined;

/** The page names its files by what is in them: another page is another version. */
async function look(): Promise<void> {
  const answer = await fetch('/app', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  const tag = answer?.headers.get('ETag');
  first ??= tag;
  if (tag && first && tag !== first) isOutdated.value = true;
}

export function watchVersion(): void {
  void look();
  setInterval(() => document.visibilityState === 'visible' && void look(), lookEveryMs);
}

/** A file of this version that is gone: the page is loaded again, once; drafts are kept. */
export function reloadOnce(error: unknown): never {
  if (sessionStorage.getItem('reloaded') === null) {
    sessionStorage.setItem('reloaded', '1');
    location.reload();
  }
  throw error;
}
