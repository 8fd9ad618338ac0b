import type { Actor, AppContext } from '../../app-context.ts';
import { badField, Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { zoneName } from '../../model/zone.ts';
import type { Expected } from '../../model/zone-task.ts';
import { changeZone, type Edited } from '../change/change-zone.ts';
import { nameEdits } from '../rrsets/edit-rrsets.ts';
import { fillIn, type Value } from './fill-in.ts';
import { type Conflict, type ConflictWay, type Decided, putTemplate } from './put-template.ts';
import type { ZoneTemplate } from './template.ts';
import { requireTemplate } from './templates.ts';

interface ApplyOrder {
  readonly templateId: string;
  /** The version that the caller read; undefined: the present one. */
  readonly templateVersion?: number | undefined;
  readonly values: readonly Value[];
  /** For every conflict that `choices` does not name. */
  readonly onConflict?: ConflictWay | undefined;
  readonly choices: readonly { readonly name: string; readonly type: string; readonly way: ConflictWay }[];
  readonly expected?: Expected | undefined;
  readonly isDryRun: boolean;
  readonly comment?: string | undefined;
}

export interface Applied {
  readonly template: ZoneTemplate;
  readonly conflicts: readonly Conflict[];
}

/** One change of the zone, with one entry in its history. Undecided conflicts are refused; a dry run shows them. */
export async function applyTemplate(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: ApplyOrder,
): Promise<Edited<Applied>> {
  const template = await requireTemplate(ctx, actor, order.templateId);
  if (order.templateVersion !== undefined && order.templateVersion !== template.version)
    throw new Refusal(
      'precondition_failed',
      `The template was changed in the meantime and now has version ${template.version}.`,
    );
  const origin = zoneName(domain.name);
  const filled = fillIn(template, domain.name, order.values);
  const wanted = nameEdits(filled, origin);
  const about = [...new Set(wanted.map(({ owner }) => owner))];
  const decided = { onConflict: order.onConflict, choices: readChoices(order, wanted, origin) };
  const { expected, isDryRun } = order;
  const options = { kind: 'template', expected, about, isDryRun, comment: order.comment ?? template.name } as const;
  return changeZone(ctx, actor, domain, options, async (draft) => {
    const conflicts = await putTemplate(draft, filled, decided);
    const open = conflicts.filter(({ way }) => way === null);
    if (open.length > 0 && !isDryRun) throw undecided(open);
    return { template, conflicts };
  });
}

/** Each choice must name an RRset of the template once. Otherwise a misspelt `skip` would lose the records that it was meant to keep. */
function readChoices(
  { choices }: ApplyOrder,
  wanted: ReturnType<typeof nameEdits>,
  origin: string,
): Decided['choices'] {
  const named = nameEdits(
    choices.map(({ name, type }) => ({ name, type })),
    origin,
    'choices',
  );
  const brought = new Set(wanted.map(({ owner, kind }) => `${owner} ${kind}`));
  const read = new Map<string, { way: ConflictWay; field: string }>();
  for (const [at, { owner, kind, field }] of named.entries()) {
    const key = `${owner} ${kind}`;
    if (!brought.has(key)) throw badField(field, `The template contains no ${key}.`);
    if (read.has(key)) throw badField(field, `${key} is listed twice.`);
    read.set(key, { way: choices[at]!.way, field });
  }
  return read;
}

function undecided(open: readonly Conflict[]): Refusal {
  const [{ name, type }] = open as [Conflict];
  return new Refusal(
    'conflict',
    `${open.length} RRsets of the zone conflict, first ${name} ${type}. Send replace, merge or skip.`,
    { facts: { conflicts: open.map((each) => ({ name: each.name, type: each.type })) } },
  );
}
