import type { Language } from './kinds.ts';

/** The recipient. */
export interface RecipientRow {
  readonly name: string;
  readonly email: string;
  readonly country_code: string;
  /** Its own choice. */
  readonly language?: Language;
  /** The contact, if it is one. */
  readonly id?: string;
}
