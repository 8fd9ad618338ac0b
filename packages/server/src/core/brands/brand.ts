import { createHash } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound } from '../errors.ts';
import { nameProblem } from '../notices/name-text.ts';
import { type ExpectedVersion, requireVersion } from '../version.ts';
import {
  type BrandRow,
  deleteBrand,
  findLogo,
  findOwnBrand,
  findShownBrand,
  type Logo,
  lockOwnBrand,
  saveLogo,
  saveOwnBrand,
} from './brand.sql.ts';
import { isColour, leastContrast, nearestReadable, type Theme, worstContrast } from './colour.ts';
import { logoTypeOf } from './logo.ts';

export type { BrandRow } from './brand.sql.ts';

/** The choices of an account, and the resulting appearance of its pages. */
export interface BrandChoice {
  readonly own: BrandRow | undefined;
  readonly shown: BrandRow | undefined;
}

export async function readBrand(ctx: AppContext, actor: Actor): Promise<BrandChoice> {
  const own = await findOwnBrand(ctx.db.as(actor.resellerId), actor.resellerId);
  return { own, shown: own ?? (await shownBrand(ctx, actor.resellerId)) };
}

/** On the second database login: the brand may belong to an account above, which requests cannot read. */
export const shownBrand = (ctx: AppContext, resellerId: string | null): Promise<BrandRow | undefined> =>
  findShownBrand(ctx.db.as(allTenants), resellerId);

export const readLogo = (ctx: AppContext, hash: string): Promise<Logo | undefined> =>
  findLogo(ctx.db.as(allTenants), hash);

/** The text settings; the logo has its own call. */
export const brandVersion = (own: BrandRow | undefined): readonly unknown[] | null =>
  own ? [own.name, own.support, own.colour, own.colour_dark] : null;

interface BrandChange {
  readonly expected?: ExpectedVersion | undefined;
  readonly name?: string | undefined;
  readonly support?: string | undefined;
  readonly colour?: string | undefined;
  readonly colourDark?: string | undefined;
}

const line = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A field that is left out stays unchanged; an empty text removes it. */
export async function changeBrand(ctx: AppContext, actor: Actor, change: BrandChange): Promise<BrandChoice> {
  const { resellerId } = actor;
  return write(ctx, actor, async (tx) => {
    const before = await lockOwnBrand(tx, resellerId);
    requireVersion(change.expected, brandVersion(before));
    const name = (change.name ?? before?.name ?? '').trim();
    if (name === '') throw badField('name', 'The brand needs a name.', 'required');
    const problem = change.name === undefined ? undefined : nameProblem(name);
    if (problem !== undefined) throw badField('name', problem);
    const support = (change.support ?? before?.support ?? '').trim();
    if (line.test(support)) throw badField('support', 'Must be one line of text.');
    const after = { name, support: support || null, ...coloursOf(before, change) };
    await saveOwnBrand(tx, resellerId, after, ctx.wall.now());
    const about = { action: 'brand.change', objectType: 'reseller', objectId: resellerId };
    await audit(ctx, tx, actor, { ...about, before: before ?? null, after });
    const own = await findOwnBrand(tx, resellerId);
    return { own, shown: own };
  });
}

/** One colour for light pages and one for dark; if only one is named, the other is the nearest readable one. */
function coloursOf(before: BrandRow | undefined, change: BrandChange): Pick<BrandRow, 'colour' | 'colour_dark'> {
  const colour = readColour('colour', change.colour ?? before?.colour ?? '', 'light');
  if (colour === null) {
    if (change.colourDark) throw badField('colour', 'The colour for light pages is required too.', 'required');
    return { colour, colour_dark: null };
  }
  const isKept = change.colour === undefined || change.colour === before?.colour;
  const wanted = change.colourDark ?? (isKept ? before?.colour_dark : undefined) ?? '';
  return { colour, colour_dark: readColour('colourDark', wanted, 'dark') ?? nearestReadable(colour, 'dark') };
}

function readColour(field: string, given: string, theme: Theme): string | null {
  const colour = given.trim().toLowerCase();
  if (colour === '') return null;
  if (!isColour(colour)) throw badField(field, 'Must be # and six hexadecimal digits, such as #2a4fd0.');
  const found = worstContrast(colour, theme);
  if (found >= leastContrast) return colour;
  const shown = (Math.floor(found * 10) / 10).toFixed(1);
  const nearest = nearestReadable(colour, theme);
  throw badField(
    field,
    `The contrast on ${theme} pages is ${shown}:1, and at least ${leastContrast}:1 is required. The nearest that passes is ${nearest}.`,
    'contrast',
  );
}

/** Undefined removes the logo. */
export async function changeLogo(ctx: AppContext, actor: Actor, bytes: Buffer | undefined): Promise<BrandChoice> {
  const { resellerId } = actor;
  const logo = bytes && { bytes, type: logoTypeOf(bytes), hash: hashOf(bytes) };
  return write(ctx, actor, async (tx) => {
    if (!(await saveLogo(tx, resellerId, logo, ctx.wall.now())))
      throw badField('data', 'Give the brand a name first.', 'required');
    const after = { logo: logo ? { type: logo.type, hash: logo.hash } : null };
    const about = { action: 'brand.logo', objectType: 'reseller', objectId: resellerId };
    await audit(ctx, tx, actor, { ...about, after });
    const own = await findOwnBrand(tx, resellerId);
    return { own, shown: own };
  });
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** Afterwards the account looks like the one above it. */
export async function removeBrand(ctx: AppContext, actor: Actor): Promise<void> {
  const { resellerId } = actor;
  await write(ctx, actor, async (tx) => {
    const before = await findOwnBrand(tx, resellerId);
    if (!before || !(await deleteBrand(tx, resellerId))) throw notFound('brand');
    await audit(ctx, tx, actor, { action: 'brand.remove', objectType: 'reseller', objectId: resellerId, before });
  });
}
