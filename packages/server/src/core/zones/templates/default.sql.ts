import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Value } from './fill-in.ts';
import type { TemplateContent } from './template.ts';

/** The default template for new zones of an account. */
export interface DefaultTemplate {
  readonly template_id: string;
  readonly given: readonly Value[];
  /** The present version of the template. Null: it is built in, or no longer exists. */
  readonly content: TemplateContent | null;
}

export async function readDefaultTemplate(db: Reader, resellerId: string): Promise<DefaultTemplate | null> {
  const { chosen } = await db.one<{ chosen: DefaultTemplate | null }>(
    sql`select default_zone_template_of(${resellerId}) as chosen`,
  );
  return chosen;
}

export async function saveDefaultTemplate(
  tx: Tx,
  resellerId: string,
  chosen: Pick<DefaultTemplate, 'template_id' | 'given'>,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into default_zone_template (reseller_id, template_id, given, chosen_at)
    values (${resellerId}, ${chosen.template_id}, ${JSON.stringify(chosen.given)}, ${now})
    on conflict (reseller_id) do update set template_id = excluded.template_id, given = excluded.given, chosen_at = excluded.chosen_at`);
}

export async function deleteDefaultTemplate(tx: Tx, resellerId: string): Promise<void> {
  await tx.run(sql`delete from default_zone_template where reseller_id = ${resellerId}`);
}
