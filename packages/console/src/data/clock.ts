import { signal } from '@preact/signals';

/** Wall time of the browser: for what is short and local, such as a countdown. Dates of names come from the service. */
export const now = (): Date => new Date();

const ahead = signal(0);

/** What time it is for names and money, as the service said last: a sandbox moves it, and the browser's own clock may be wrong. */
export const businessNow = (): Date => new Date(now().getTime() + ahead.value);

export function tellBusinessTime(said: string): void {
  ahead.value = new Date(said).getTime() - now().getTime();
}
