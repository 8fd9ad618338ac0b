import { asia } from './asia/extension.ts';
import type { TldExtension, TldFields } from './extension.ts';
import { us } from './us/extension.ts';

/** Extensions of single TLDs. A new one has a folder here and a line in this list. */
const list = [us, asia] as const satisfies readonly TldExtension[];

export type TldPart = (typeof list)[number]['part'];
export const TLD_EXTENSIONS: readonly (TldExtension & { readonly part: TldPart })[] = list;

export const TLD_NAMESPACES = Object.fromEntries(list.map(({ part, uri }) => [part, uri])) as Readonly<
  Record<TldPart, string>
>;

/** Fields by the name of their extension. */
export type TldExtensions = Readonly<Record<string, TldFields>>;
