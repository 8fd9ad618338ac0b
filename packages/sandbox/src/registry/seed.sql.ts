import { sql, type Tx } from '@namehold/postgres';

interface OwnDomain {
  readonly name: string;
  readonly owner: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Undefined: it exists already. */
export function seedDomain(tx: Tx, d: OwnDomain): Promise<{ id: string } | undefined> {
  return tx.maybe<{ id: string }>(sql`
    insert into domain (name, tld, sponsor, creator, created_at, expires_at, phase, due_at, statuses)
    values (${d.name}, ${d.name.slice(d.name.indexOf('.') + 1)}, ${d.owner}, ${d.owner}, ${d.at}, ${d.expiresAt},
      'active', ${d.expiresAt}, '{serverDeleteProhibited,serverTransferProhibited,serverUpdateProhibited,serverRenewProhibited}')
    on conflict (name) do nothing returning id`);
}

interface OwnHost {
  readonly name: string;
  readonly address: string;
  readonly domainId: string;
  readonly owner: string;
  readonly at: Date;
}

export async function seedHost(tx: Tx, h: OwnHost): Promise<void> {
  await tx.run(sql`
    with made as (
      insert into host (name, superordinate, sponsor, creator, created_at)
      values (${h.name}, ${h.domainId}, ${h.owner}, ${h.owner}, ${h.at}) returning id
    ), addressed as (
      insert into host_address (host_id, address) select id, ${h.address}::inet from made
    )
    insert into domain_host (domain_id, host_id) select ${h.domainId}, id from made`);
}
