import type { Exceptions } from './rules.ts';

export const exceptions: Exceptions = {
  long: {},
  question: {},
  bare: {
    'https://': 'the start of an address, the same in every language',
    PDF: 'the name of a format',
    Esc: 'the label of a key',
  },
};
