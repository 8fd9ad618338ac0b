import type { ExpectedVersion } from '../../../core/version.ts';
import { badParameter } from '../../errors.ts';
import { Answer, type Caller } from '../../route.ts';

/** If-Match (RFC 9110 section 13.1.1): versions in quotes, as in ETag, or `*`. Without it nothing is compared. */
export function expectedVersion(caller: Caller): ExpectedVersion | undefined {
  const header = caller.header('if-match')?.trim();
  if (header === undefined || header === '') return undefined;
  if (header === '*') return '*';
  return header.split(',').map((part) => {
    const version = /^"([\w-]{1,64})"$/.exec(part.trim())?.[1];
    if (version === undefined) throw badParameter('If-Match', 'Must be the version in quotes, as ETag gives it, or *.');
    return version;
  });
}

export const withVersion = (body: unknown, version: string): Answer =>
  new Answer(body, { headers: { ETag: `"${version}"` } });
