import { signal } from '@preact/signals';

/** The browser clock, for short local intervals. Business dates use `businessNow`. */
export const now = (): Date => new Date();

const ahead = signal(0);

/** The time for domains and billing, as last reported by the service. A sandbox moves it. */
export const businessNow = (): Date => new Date(now().getTime() + ahead.value);

export function setBusinessTime(time: string): void {
  ahead.value = new Date(time).getTime() - now().getTime();
}
