import { audit } from '../../audit/audit.ts';
import type { Domain } from '../../domains/domain.ts';
import { notFound, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { type Actor, type House, write } from '../../house.ts';
import { readRRsets } from '../rrsets/read-rrsets.ts';
import type { Expected } from '../tasks.ts';
import { builtInTemplates, findBuiltIn } from './built-in.ts';
import { checkTemplate } from './check-template.ts';
import { templateOf } from './from-zone.ts';
import {
  deleteTemplateRow,
  findTemplateRow,
  insertTemplate,
  isNameTaken,
  listTemplateRows,
  lockTemplate,
  lockTemplatesOf,
  type TemplateFields,
  type TemplateRow,
  updateTemplate,
} from './template.sql.ts';
import { type TemplateContent, type TemplateRRset, templateLimits, type ZoneTemplate } from './template.ts';

const fromRow = ({ updated_at: updatedAt, ...row }: TemplateRow): ZoneTemplate => ({
  ...row,
  isBuiltIn: false,
  source: null,
  updatedAt,
});

/** The account's own, then those that are built in. */
export async function listTemplates(house: House, actor: Actor): Promise<ZoneTemplate[]> {
  const own = await listTemplateRows(house.db.as(actor.resellerId), actor.resellerId);
  return [...own.map(fromRow), ...builtInTemplates];
}

export async function requireTemplate(house: House, actor: Actor, id: string): Promise<ZoneTemplate> {
  const found = findBuiltIn(id);
  if (found) return found;
  const row = await findTemplateRow(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!row) throw notFound('zone template');
  return fromRow(row);
}

/** What to save: content that somebody wrote, or that of a zone with its name taken out. */
export interface TemplateOrder extends Omit<TemplateContent, 'rrsets'> {
  readonly rrsets: readonly TemplateRRset[] | Domain;
}

async function contentOf(house: House, order: TemplateOrder): Promise<TemplateContent> {
  if (!('reseller_id' in order.rrsets)) return { ...order, rrsets: order.rrsets };
  const { zone, rrsets, next } = await readRRsets(house, order.rrsets, { limit: templateLimits.rrsets + 20 });
  if (next !== undefined) throw tooLarge();
  return { ...order, rrsets: templateOf(rrsets, zone.name) };
}

const tooLarge = () =>
  new Refusal('conflict', `the zone has more than ${templateLimits.rrsets} RRsets: too many for a template`);

function fieldsOf({ name, description, variables, rrsets }: TemplateContent): TemplateFields {
  const kept = rrsets.map((set) => ({
    name: set.name,
    type: set.type.toUpperCase(),
    ...(set.ttl === undefined ? {} : { ttl: set.ttl }),
    records: set.records,
  }));
  return { name, description, variables, rrsets: kept };
}

const taken = (name: string) => new Refusal('already_exists', `there is a template "${name}" already`);

export async function createTemplate(
  house: House,
  actor: Actor,
  order: TemplateOrder,
  isDryRun = false,
): Promise<ZoneTemplate> {
  const content = await contentOf(house, order);
  if (content.rrsets.length > templateLimits.rrsets) throw tooLarge();
  checkTemplate(content);
  const { resellerId } = actor;
  return write(house, actor, async (tx) => {
    if ((await lockTemplatesOf(tx, resellerId)) >= templateLimits.perAccount)
      throw new Refusal('conflict', `an account has at most ${templateLimits.perAccount} templates; delete one first`);
    if (await isNameTaken(tx, resellerId, content.name, null)) throw taken(content.name);
    const now = house.clock.now();
    const fields = fieldsOf(content);
    if (isDryRun) return fromRow({ ...fields, id: '', version: 0, updated_at: now });
    const row = await insertTemplate(tx, resellerId, house.ids.next('tpl'), fields, now);
    await tell(house, actor, tx, { action: 'create', row, before: null });
    return fromRow(row);
  });
}

/** All of it anew, on the version that the caller read. */
export async function changeTemplate(
  house: House,
  actor: Actor,
  id: string,
  content: TemplateContent,
  { expected, isDryRun }: { readonly expected: Expected | undefined; readonly isDryRun: boolean },
): Promise<ZoneTemplate> {
  requireOwn(id);
  const { resellerId } = actor;
  return write(house, actor, async (tx) => {
    await lockTemplatesOf(tx, resellerId);
    const before = await lockTemplate(tx, resellerId, id);
    if (!before) throw notFound('zone template');
    requireVersion(expected, before);
    checkTemplate(content);
    if (await isNameTaken(tx, resellerId, content.name, id)) throw taken(content.name);
    const now = house.clock.now();
    const fields = fieldsOf(content);
    if (isDryRun) return fromRow({ ...before, ...fields });
    const row = await updateTemplate(tx, resellerId, id, fields, now);
    await tell(house, actor, tx, { action: 'change', row, before });
    return fromRow(row);
  });
}

/** Zones that it was applied to stay as they are. */
export async function deleteTemplate(
  house: House,
  actor: Actor,
  id: string,
  expected: Expected | undefined,
): Promise<void> {
  requireOwn(id);
  const { resellerId } = actor;
  await write(house, actor, async (tx) => {
    const before = await lockTemplate(tx, resellerId, id);
    if (!before) throw notFound('zone template');
    requireVersion(expected, before);
    await deleteTemplateRow(tx, resellerId, id);
    await tell(house, actor, tx, { action: 'delete', row: before, before });
  });
}

function requireOwn(id: string): void {
  if (findBuiltIn(id))
    throw new Refusal('conflict', 'this template is built in: save one of your own with its content, and change that');
}

function requireVersion(expected: Expected | undefined, { version }: TemplateRow): void {
  if (expected === undefined || expected === '*' || (expected !== 'none' && expected.includes(version))) return;
  throw new Refusal('precondition_failed', `the template has version ${version}`, { facts: { present: { version } } });
}

async function tell(
  house: House,
  actor: Actor,
  tx: Parameters<typeof deleteTemplateRow>[0],
  change: { action: 'create' | 'change' | 'delete'; row: TemplateRow; before: TemplateRow | null },
): Promise<void> {
  const { action, row, before } = change;
  const shown = ({ name, version, variables, rrsets }: TemplateRow) => ({ name, version, variables, rrsets });
  await audit(house, tx, actor, {
    action: `zone_template.${action}`,
    objectType: 'zone_template',
    objectId: row.id,
    before: before ? shown(before) : null,
    after: action === 'delete' ? null : shown(row),
  });
  await appendEvent(house, tx, {
    resellerId: actor.resellerId,
    type: action === 'delete' ? 'zone_template.deleted' : 'zone_template.saved',
    objectId: row.id,
    requestId: actor.requestId,
    payload: { zone_template_id: row.id, name: row.name, version: row.version },
  });
}
