import { asSentence, translated } from '../messages/sentence.ts';
import { messages } from './messages.ts';

/** An example of the content of common record types. */
export const contentExamples: Readonly<Record<string, string>> = {
  A: '192.0.2.1',
  AAAA: '2001:db8::1',
  CNAME: 'www.example.com',
  MX: '10 mail.example.com',
  TXT: 'v=spf1 mx -all',
  SRV: '10 5 5060 sip.example.com',
  CAA: '0 issue "letsencrypt.org"',
  NS: 'ns1.example.com',
  HTTPS: '1 . alpn=h2',
  SVCB: '1 . alpn=h2',
  PTR: 'www.example.com',
};

/** Errors that do not concern the content of one record. */
const withoutExample = new Set(['name', 'ttl', 'type', 'zone', 'records', 'file', 'line']);

/** The types whose content begins with a number. */
const beginsWithNumber = new Set(['MX', 'SRV', 'CAA', 'HTTPS', 'SVCB']);

interface Problem {
  readonly field: string;
  readonly reason: string;
}

/** An error of the DNS library as a sentence, with the name of the value and an example of the content. */
export function problemText({ field, reason }: Problem, type = ''): string {
  const t = messages();
  const shown = translated(reason, t.reasons);
  const label = t.valueNames[field] ?? field;
  const isPredicate = /^(?:is|are|has|takes|must) /.test(shown);
  // In these types the number comes first, and people leave it out.
  const isLeftOut = beginsWithNumber.has(type) && /^(?:preference|priority|flags)$/.test(field);
  const isNoNumber = /^".*" is not a whole number$/.test(reason);
  const text =
    isLeftOut && isNoNumber
      ? t.numberFirst(label)
      : label === ''
        ? shown
        : isPredicate
          ? `${label} ${shown}`
          : `${label}: ${shown}`;
  const example = withoutExample.has(field) ? undefined : contentExamples[type];
  return example === undefined ? asSentence(text) : `${asSentence(text)} ${t.example(example)}`;
}
