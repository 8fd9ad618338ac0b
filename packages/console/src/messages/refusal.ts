import { signal } from '@preact/signals';
import { locale } from './locale.ts';

const inIndonesian = signal<typeof import('./refusals-id.ts') | undefined>(undefined);
let isLoaded = false;

/** The Indonesian texts, loaded on demand. Undefined in English. */
function texts(): typeof inIndonesian.value {
  if (locale.value !== 'id') return undefined;
  if (!isLoaded) {
    isLoaded = true;
    void import('./refusals-id.ts').then(
      (loaded) => {
        inIndonesian.value = loaded;
      },
      () => {
        isLoaded = false;
      },
    );
  }
  return inIndonesian.value;
}

/** The Indonesian meaning of an error code. Undefined in English or for unknown codes. */
export const refusalMessage = (code: string): string | undefined => texts()?.refusals[code];

/** The Indonesian text of a refusal. Undefined in English or for unknown texts. */
export const translatedRefusal = (message: string): string | undefined => texts()?.textOf(message);

/** A text of the service in the user's language, if there is a translation. */
export const refusalText = (message: string): string => translatedRefusal(message) ?? message;
