import { allTenants, sql } from '@namehold/postgres';
import type { TestService } from '../../../../test/support/service.ts';
import { makeDomain } from '../zones/support.ts';

type TargetState = 'waiting' | 'confirmed' | 'stopped';

/** Inserts a domain with mail forwarding: targets by local part, '' is the catch-all. */
export async function makeMailDomain(
  t: TestService,
  name: string,
  forwards: Readonly<Record<string, readonly string[]>>,
): Promise<string> {
  const id = await makeDomain(t, name);
  const now = new Date();
  await t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`
      insert into mail_domain (domain_id, reseller_id, version, changed_at) select id, reseller_id, 1, ${now} from domain where id = ${id}`);
    for (const [local, targets] of Object.entries(forwards))
      await tx.run(sql`
        insert into mail_forward (domain_id, reseller_id, local_part, targets, action, spam, enabled, created_at, changed_at)
        select id, reseller_id, ${local}, ${targets}, ${targets.length === 0 ? 'refuse' : 'forward'}, 'refuse', true, ${now}, ${now}
        from domain where id = ${id}`);
  });
  return id;
}

/** Sets the consent of an address owner to the demo customer. */
export async function setTargetState(t: TestService, address: string, state: TargetState): Promise<void> {
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into mail_target (id, reseller_id, customer_id, address, state, created_at)
      values (${`mtg_${address}`}, 1000, 2001, ${address}, ${state}, now())
      on conflict (customer_id, address) do update set state = excluded.state`),
  );
}
