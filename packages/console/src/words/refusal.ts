import { signal } from '@preact/signals';
import { language } from './speak.ts';

const inIndonesian = signal<Readonly<Record<string, string>>>({});
let isAsked = false;

/** By its code, in the reader's language; undefined in the language of the service, and where the code is new. Loaded when something is refused. */
export function refusalIn(code: string): string | undefined {
  if (language.value !== 'id') return undefined;
  if (!isAsked) {
    isAsked = true;
    void import('./refusals-id.ts').then(
      ({ refusals }) => {
        inIndonesian.value = refusals;
      },
      () => {
        isAsked = false;
      },
    );
  }
  return inIndonesian.value[code];
}
