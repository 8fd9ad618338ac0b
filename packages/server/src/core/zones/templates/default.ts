import { type Actor, type AppContext, write } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { findBuiltIn } from './built-in.ts';
import { checkFilledIn } from './check-template.ts';
import {
  type DefaultTemplate,
  deleteDefaultTemplate,
  readDefaultTemplate,
  saveDefaultTemplate,
} from './default.sql.ts';
import type { Value } from './fill-in.ts';
import type { TemplateContent } from './template.ts';
import { requireTemplate } from './templates.ts';

/** The default template of an account, as the API shows it. */
export interface ChosenDefault {
  readonly templateId: string;
  readonly name: string | null;
  readonly values: readonly Value[];
  /** Why new zones start without it; null: they start with it. */
  readonly problem: string | null;
}

/** Throws if the template was deleted or is no longer shared. */
export function contentOfDefault({ template_id, content }: DefaultTemplate): TemplateContent {
  const found = findBuiltIn(template_id) ?? content;
  if (!found) throw new Refusal('not_found', `The template ${template_id} no longer exists or is no longer shared.`);
  return found;
}

function withState(chosen: DefaultTemplate): ChosenDefault {
  const { template_id: templateId, given: values } = chosen;
  const name = findBuiltIn(templateId)?.name ?? chosen.content?.name ?? null;
  try {
    checkFilledIn(contentOfDefault(chosen), values);
    return { templateId, name, values, problem: null };
  } catch (error) {
    return { templateId, name, values, problem: String((error as Error).message) };
  }
}

export async function readDefault(ctx: AppContext, actor: Actor): Promise<ChosenDefault | null> {
  const chosen = await readDefaultTemplate(ctx.db.as(actor.resellerId), actor.resellerId);
  return chosen && withState(chosen);
}

/** For new zones; existing ones stay as they are. */
export async function chooseDefault(
  ctx: AppContext,
  actor: Actor,
  templateId: string,
  values: readonly Value[],
): Promise<ChosenDefault> {
  const template = await requireTemplate(ctx, actor, templateId);
  checkFilledIn(template, values);
  const chosen = { templateId, name: template.name, values, problem: null };
  return saveChoice(ctx, actor, { template_id: templateId, given: values }, chosen);
}

export const clearDefaultTemplate = (ctx: AppContext, actor: Actor): Promise<null> =>
  saveChoice(ctx, actor, null, null);

async function saveChoice<T extends ChosenDefault | null>(
  ctx: AppContext,
  actor: Actor,
  after: Pick<DefaultTemplate, 'template_id' | 'given'> | null,
  result: T,
): Promise<T> {
  const { resellerId } = actor;
  return write(ctx, actor, async (tx) => {
    const chosen = await readDefaultTemplate(tx, resellerId);
    const before = chosen && { template_id: chosen.template_id, given: chosen.given };
    if (after) await saveDefaultTemplate(tx, resellerId, after, ctx.clock.now());
    else await deleteDefaultTemplate(tx, resellerId);
    const change = { action: 'account.zone_template', objectType: 'reseller', objectId: resellerId, before, after };
    await audit(ctx, tx, actor, change);
    return result;
  });
}
