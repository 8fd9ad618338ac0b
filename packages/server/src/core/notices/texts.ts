import { readFileSync } from 'node:fs';
import { type Language, languages, type NoticeKind, noticeKindNames, variablesOf } from './kinds.ts';
import { readTemplate } from './template.ts';

/** A text with its subject. The first line of a file is the subject. */
export interface NoticeText {
  readonly subject: string;
  readonly body: string;
}

const folder = new URL('./texts/', import.meta.url);

const texts = new Map(
  languages.flatMap((language) =>
    noticeKindNames.map((kind) => {
      const [subject = '', ...body] = readFileSync(new URL(`${language}/${kind}.txt`, folder), 'utf8').split('\n');
      const text: NoticeText = { subject, body: body.join('\n').trim() };
      // A text of ours that could not be filled in must not wait for the day on which it is sent.
      for (const part of [text.subject, text.body]) readTemplate(part, variablesOf(kind));
      return [`${language}/${kind}`, text] as const;
    }),
  ),
);

/** The words that come along. */
export const builtInText = (kind: NoticeKind, language: Language): NoticeText => texts.get(`${language}/${kind}`)!;
