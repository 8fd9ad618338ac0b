import type { Reply } from '../../../../core/ports/registry.ts';
import type { AccountDomain, Page, UpstreamClient } from '../../dialect.ts';
import { objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { attributesOf, message } from './message.ts';

const pageSize = 500;
/** Every domain ends between these dates. */
const terms = { exp_from: '2000-01-01', exp_to: '2099-12-31' };

/**
 * Domains by their expiry. The cursor is the number of the page and the number of domains on the pages before. The documents contradict
 * each other about the number of the first page, so a list that lacks a page is refused.
 */
export async function listPage(
  send: UpstreamClient,
  { utcOffset, opensrs }: UpstreamProfile,
  cursor = `${opensrs.firstPage} 0`,
): Promise<Reply<Page<AccountDomain>>> {
  const [page = 1, before = 0] = cursor.split(' ').map(Number);
  const range = { limit: String(pageSize), page: String(page) };
  const { reply } = await send(message('GET_DOMAINS_BY_EXPIREDATE', { ...terms, ...range }));
  if (reply.kind !== 'done') return reply;
  const { exp_domains: domains, total, remainder } = attributesOf(reply.data);
  if (!Array.isArray(domains)) return { kind: 'unsent', why: 'the list of domains cannot be read' };
  const rows = objectsOf(domains).flatMap((row): AccountDomain[] => {
    const name = textOf(row.name)?.toLowerCase();
    return name === undefined
      ? []
      : [{ id: name, name, isOurs: true, expiresAt: timeOf(row.expiredate, utcOffset), statuses: [] }];
  });
  const seen = before + rows.length;
  const isLast = textOf(remainder) !== '1' || rows.length === 0;
  if (!isLast) return { ...reply, data: { rows, next: `${page + 1} ${seen}` } };
  if (textOf(total) !== String(seen))
    return { kind: 'unsent', why: `the list has ${seen} of ${textOf(total) ?? 'an unknown number of'} domains` };
  return { ...reply, data: { rows, next: undefined } };
}
