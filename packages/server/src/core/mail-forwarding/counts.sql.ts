import { sql, type Tx } from '@namehold/base';

export type MailOutcome = 'forwarded' | 'deferred' | 'refused' | 'spam' | 'limited' | 'bounced';

/** What was counted for one name within one hour. */
export interface MailCountRow {
  readonly domain_id: string;
  readonly hour: Date;
  readonly outcome: MailOutcome;
  readonly messages: number;
}

/** Adds to what other mail hosts have counted. */
export async function addMailCounts(tx: Tx, rows: readonly MailCountRow[]): Promise<void> {
  await tx.run(sql`
    insert into mail_hour as m (domain_id, reseller_id, hour, outcome, messages)
    select d.id, d.reseller_id, r.hour, r.outcome, r.messages
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (domain_id bigint, hour timestamptz, outcome text, messages bigint)
    join domain d on d.id = r.domain_id
    order by d.id, r.hour, r.outcome
    on conflict (domain_id, hour, outcome) do update set messages = m.messages + excluded.messages`);
}
