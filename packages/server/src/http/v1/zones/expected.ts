import type { Expected } from '../../../core/model/zone-task.ts';
import { badParameter, WireRefusal } from '../../errors.ts';
import type { Caller } from '../../route.ts';

/** If-Match (RFC 9110 section 13.1.1): serials in quotes, as in ETag, or `*`. If-None-Match: only `*`, for a new zone. */
export function expectedSerials(caller: Caller): Expected | undefined {
  if (caller.header('if-none-match')?.trim() === '*') return 'none';
  const header = caller.header('if-match')?.trim();
  if (header === undefined || header === '') return undefined;
  if (header === '*') return '*';
  return header.split(',').map((part) => {
    const serial = /^"?(\d{1,10})"?$/.exec(part.trim())?.[1];
    if (serial === undefined) throw badParameter('If-Match', 'Must be the serial in quotes, as ETag gives it, or *.');
    return Number(serial);
  });
}

/** For calls that replace the current content. A dry run replaces nothing. */
export function expectedOfReplacement(caller: Caller, isDryRun: boolean): Expected | undefined {
  const expected = expectedSerials(caller);
  if (expected === undefined && !isDryRun)
    throw new WireRefusal(
      'precondition_required',
      'This replaces the whole zone. Send If-Match with the serial that you read (or * for any), or If-None-Match: * to create it.',
    );
  return expected;
}
