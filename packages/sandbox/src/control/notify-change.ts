import type { ChangeNotice } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import type { DomainRecord } from '../domain/record.ts';
import { domainInfo, infoExtensions } from '../domain/view.ts';
import { enqueue } from '../poll/enqueue.ts';
import type { CommitEffects, Registry } from '../registry/registry.ts';

type Body = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

function noticeOf(registry: Registry, notice: Body): Omit<ChangeNotice, 'state'> {
  const caseId = notice.case as Body | undefined;
  const [detail, reason] = [textOf(notice.detail), textOf(notice.reason)];
  return {
    operation: textOf(notice.operation) ?? 'update',
    ...(detail === undefined ? {} : { detail }),
    date: registry.clock.now(),
    svTRID: registry.ids.next('NH'),
    who: textOf(notice.who) ?? 'Registry Support',
    ...(caseId ? { caseId: { type: String(caseId.type), id: String(caseId.id) } } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** RFC 8590: two messages to the sponsor, with the domain before and after the change. */
export async function notifyChange(
  tx: Tx,
  registry: Registry,
  effects: CommitEffects,
  body: Body,
  change: { readonly before: DomainRecord; readonly after: DomainRecord },
): Promise<void> {
  const notice = noticeOf(registry, body);
  for (const state of ['before', 'after'] as const) {
    const domain = change[state];
    await enqueue(tx, effects, {
      clientId: change.before.sponsor,
      at: notice.date,
      text: `Registry initiated ${notice.operation} of domain`,
      data: domainInfo(domain, { hosts: 'all', full: true }),
      ext: { ...infoExtensions(domain, notice.date, true), change: { ...notice, state } },
    });
  }
}
