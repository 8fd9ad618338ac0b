import { signal } from '@preact/signals';
import { locale } from './locale.ts';

const inIndonesian = signal<Readonly<Record<string, string>>>({});
let isLoaded = false;

/** The Indonesian message for an error code, loaded on demand. Undefined in English or for unknown codes. */
export function refusalMessage(code: string): string | undefined {
  if (locale.value !== 'id') return undefined;
  if (!isLoaded) {
    isLoaded = true;
    void import('./refusals-id.ts').then(
      ({ refusals }) => {
        inIndonesian.value = refusals;
      },
      () => {
        isLoaded = false;
      },
    );
  }
  return inIndonesian.value[code];
}
