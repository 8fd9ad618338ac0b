import type { Reply, StatementLine } from '../../../../core/ports/registry.ts';
import type { AccountDomain, Page, StatementEntry, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, listOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { statusesOf } from '../../statuses.ts';
import { pageOf, verbOf } from './processes.ts';
import { flagsOf, registryStatusesOf } from './statuses.ts';

const cursorOf = (next: number | undefined): string | undefined => (next === undefined ? undefined : String(next));

/** The cursor is the offset. */
export async function listPage(
  send: UpstreamClient,
  { utcOffset }: UpstreamProfile,
  cursor = '0',
): Promise<Reply<Page<AccountDomain>>> {
  const read = await pageOf(send, '/domains', { fields: 'domainName,status,expiryDate' }, Number(cursor));
  if (read.kind !== 'done') return read;
  const rows = read.data.rows.flatMap((row) => accountDomainOf(row, utcOffset));
  return { ...read, data: { rows, next: cursorOf(read.data.next) } };
}

/** The list has only domains of the account. */
function accountDomainOf(row: Fields, utcOffset: string): AccountDomain[] {
  const name = textOf(row.domainName)?.toLowerCase();
  if (name === undefined) return [];
  const statuses = listOf(row.status).flatMap((each) => textOf(each)?.toUpperCase() ?? []);
  const isDeleted = statuses.includes('REDEMPTION_PERIOD');
  const shown = {
    ...flagsOf(statuses),
    status: isDeleted ? ('redemption' as const) : ('live' as const),
    registryStatuses: registryStatusesOf(statuses),
    confirmation: undefined,
    underway: undefined,
  };
  const expiresAt = timeOf(row.expiryDate, utcOffset);
  // A transfer in may be listed before it is done.
  const isOurs = expiresAt !== null || !statuses.includes('PENDING_TRANSFER');
  return [{ id: name, name, isOurs, expiresAt, statuses: statusesOf(shown) }];
}

/** All charges of domains. */
export async function statementPage(
  send: UpstreamClient,
  { utcOffset }: UpstreamProfile,
  cursor = '0',
  name?: string,
): Promise<Reply<Page<StatementEntry>>> {
  const query = { processType: 'domain', ...(name === undefined ? {} : { processIdentifier: name }) };
  const read = await pageOf(send, '/billing/financialtransactions', query, Number(cursor));
  if (read.kind !== 'done') return read;
  const rows = read.data.rows.flatMap((row): StatementEntry[] => {
    const about = textOf(row.processIdentifier)?.toLowerCase();
    const isDomain = /^domain$/i.test(textOf(row.processType) ?? '');
    if (!isDomain || about === undefined || (name !== undefined && about !== name)) return [];
    return [{ domainId: about, name: about, lines: lineOf(row, utcOffset) }];
  });
  return { ...read, data: { rows, next: cursorOf(read.data.next) } };
}

const commands = { register: 'create', renew: 'renew', transfer: 'transfer', restore: 'restore' } as const;

/** A negative amount is taken as a refund. */
function lineOf(row: Fields, utcOffset: string): StatementLine[] {
  const cents = Number(textOf(row.amount) ?? Number.NaN);
  const [currency, at] = [textOf(row.currency), timeOf(row.date, utcOffset)];
  if (!Number.isSafeInteger(cents) || cents === 0 || currency === undefined || !at) return [];
  const fee = { amount: decimal(Math.abs(cents) / 100), currency };
  return [{ at, kind: cents > 0 ? 'charge' : 'refund', command: commandOf(row), fee }];
}

/** The billable of a refund names what was charged; its process may be the delete. */
function commandOf(row: Fields): string {
  const action = textOf(row.processAction) ?? '';
  const billed = objectsOf(row.billables).flatMap((each) => verbOf(textOf(each.action) ?? '') ?? []);
  const verb = billed[0] ?? verbOf(action);
  return verb ? commands[verb] : action.toLowerCase();
}
