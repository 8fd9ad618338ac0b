import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { notFound, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import type { Domain } from '../../model/domain.ts';
import type { Expected } from '../../model/zone-task.ts';
import { readRRsets } from '../rrsets/read-rrsets.ts';
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
  type TemplateHeadRow,
  type TemplateRow,
  updateTemplate,
} from './template.sql.ts';
import {
  type Owner,
  type TemplateContent,
  type TemplateHead,
  type TemplateRRset,
  templateLimits,
  type ZoneTemplate,
} from './template.ts';

const ownerAt = (place: number): Owner => (place === 0 ? 'own' : place === 1 ? 'parent' : 'above');

const fromRow = (row: TemplateRow, place = 0): ZoneTemplate => ({
  ...headOf({ ...row, place, rrset_count: row.rrsets.length }),
  rrsets: row.rrsets,
});

const headOf = (row: TemplateHeadRow): TemplateHead => ({
  id: row.id,
  name: row.name,
  description: row.description,
  version: row.version,
  variables: row.variables,
  whose: ownerAt(row.place),
  isShared: row.is_shared,
  source: null,
  rrsetCount: row.rrset_count,
  updatedAt: row.updated_at,
});

/** The account's own, those that the accounts above share, then the built-in ones. */
export async function listTemplates(ctx: AppContext, actor: Actor): Promise<TemplateHead[]> {
  const rows = await listTemplateRows(ctx.db.as(actor.resellerId), actor.resellerId);
  return [...rows.map(headOf), ...builtInTemplates];
}

export async function requireTemplate(ctx: AppContext, actor: Actor, id: string): Promise<ZoneTemplate> {
  const found = findBuiltIn(id);
  if (found) return found;
  const row = await findTemplateRow(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!row) throw notFound('zone template');
  return fromRow(row, row.place);
}

/** The content to save: given by the caller, or taken from a zone. */
interface TemplateOrder extends Omit<TemplateContent, 'rrsets'> {
  readonly rrsets: readonly TemplateRRset[] | Domain;
  readonly isShared: boolean;
}

async function contentOf(ctx: AppContext, order: TemplateOrder): Promise<TemplateContent> {
  if (!('reseller_id' in order.rrsets)) return { ...order, rrsets: order.rrsets };
  const { zone, rrsets, next } = await readRRsets(ctx, order.rrsets, { limit: templateLimits.rrsets + 20 });
  if (next !== undefined) throw tooLarge();
  return { ...order, rrsets: templateOf(rrsets, zone.name) };
}

const tooLarge = () =>
  new Refusal('conflict', `The zone has more than ${templateLimits.rrsets} RRsets, which is too many for a template.`);

function fieldsOf({ name, description, variables, rrsets }: TemplateContent, isShared: boolean): TemplateFields {
  const kept = rrsets.map((set) => ({
    name: set.name,
    type: set.type.toUpperCase(),
    ...(set.ttl === undefined ? {} : { ttl: set.ttl }),
    records: set.records,
  }));
  return { name, description, variables, rrsets: kept, is_shared: isShared };
}

const taken = (name: string) => new Refusal('already_exists', `There is already a template "${name}".`);

export async function createTemplate(
  ctx: AppContext,
  actor: Actor,
  order: TemplateOrder,
  isDryRun = false,
): Promise<ZoneTemplate> {
  const content = await contentOf(ctx, order);
  if (content.rrsets.length > templateLimits.rrsets) throw tooLarge();
  checkTemplate(content);
  const { resellerId } = actor;
  return write(ctx, actor, async (tx) => {
    if ((await lockTemplatesOf(tx, resellerId)) >= templateLimits.perAccount)
      throw new Refusal(
        'conflict',
        `An account can have at most ${templateLimits.perAccount} templates. Delete one first.`,
      );
    if (await isNameTaken(tx, resellerId, content.name, null)) throw taken(content.name);
    const now = ctx.clock.now();
    const fields = fieldsOf(content, order.isShared);
    if (isDryRun) return fromRow({ ...fields, id: '', version: 0, updated_at: now });
    const row = await insertTemplate(tx, resellerId, ctx.ids.next('tpl'), fields, now);
    await recordTemplate(ctx, actor, tx, { action: 'create', row, before: null });
    return fromRow(row);
  });
}

interface ChangeManner {
  /** Left out: unchanged. */
  readonly isShared: boolean | undefined;
  readonly expected: Expected | undefined;
  readonly isDryRun: boolean;
}

/** Replaces the whole template, based on the version that the caller read. */
export async function changeTemplate(
  ctx: AppContext,
  actor: Actor,
  id: string,
  content: TemplateContent,
  { isShared, expected, isDryRun }: ChangeManner,
): Promise<ZoneTemplate> {
  const { resellerId } = actor;
  return write(ctx, actor, async (tx) => {
    await lockTemplatesOf(tx, resellerId);
    const before = await lockOwn(tx, resellerId, id);
    requireVersion(expected, before);
    checkTemplate(content);
    if (await isNameTaken(tx, resellerId, content.name, id)) throw taken(content.name);
    const now = ctx.clock.now();
    const fields = fieldsOf(content, isShared ?? before.is_shared);
    if (isDryRun) return fromRow({ ...before, ...fields });
    const row = await updateTemplate(tx, resellerId, id, fields, now);
    await recordTemplate(ctx, actor, tx, { action: 'change', row, before });
    return fromRow(row);
  });
}

/** Zones to which it was applied stay as they are. */
export async function deleteTemplate(
  ctx: AppContext,
  actor: Actor,
  id: string,
  expected: Expected | undefined,
): Promise<void> {
  const { resellerId } = actor;
  await write(ctx, actor, async (tx) => {
    const before = await lockOwn(tx, resellerId, id);
    requireVersion(expected, before);
    await deleteTemplateRow(tx, resellerId, id);
    await recordTemplate(ctx, actor, tx, { action: 'delete', row: before, before });
  });
}

async function lockOwn(tx: Tx, resellerId: string, id: string): Promise<TemplateRow> {
  const own = await lockTemplate(tx, resellerId, id);
  if (own) return own;
  const isBuiltIn = findBuiltIn(id) !== undefined;
  if (!isBuiltIn && !(await findTemplateRow(tx, resellerId, id))) throw notFound('zone template');
  const whose = isBuiltIn ? 'is built in' : 'belongs to an account above yours';
  throw new Refusal('conflict', `This template ${whose}. Save a copy of it and change the copy.`);
}

function requireVersion(expected: Expected | undefined, { version }: TemplateRow): void {
  if (expected === undefined || expected === '*' || (expected !== 'none' && expected.includes(version))) return;
  throw new Refusal('precondition_failed', `The template has version ${version}. Read it again.`, {
    facts: { present: { version } },
  });
}

async function recordTemplate(
  ctx: AppContext,
  actor: Actor,
  tx: Tx,
  change: { action: 'create' | 'change' | 'delete'; row: TemplateRow; before: TemplateRow | null },
): Promise<void> {
  const { action, row, before } = change;
  const shown = ({ name, version, variables, rrsets, is_shared }: TemplateRow) => {
    return { name, version, variables, rrsets, is_shared };
  };
  await audit(ctx, tx, actor, {
    action: `zone_template.${action}`,
    objectType: 'zone_template',
    objectId: row.id,
    before: before ? shown(before) : null,
    after: action === 'delete' ? null : shown(row),
  });
  await appendEvent(ctx, tx, {
    resellerId: actor.resellerId,
    type: action === 'delete' ? 'zone_template.deleted' : 'zone_template.saved',
    objectId: row.id,
    requestId: actor.requestId,
    payload: { zone_template_id: row.id, name: row.name, version: row.version },
  });
}
