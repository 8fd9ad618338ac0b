import { readFileSync } from 'node:fs';
import { catalogueEntry } from '../core/registries/propose.ts';
import { readCatalogueEntries } from '../core/tlds/list.ts';
import { loadCatalogue } from '../core/tlds/load.ts';
import { type Command, positional } from './command.ts';

const load: Command = {
  name: 'tld load',
  summary: 'Replace the TLD catalogue with a JSON file',
  usage: 'tld load FILE.json',
  async run(call) {
    const file = positional(call, 0, 'the file');
    const json = readFileSync(file, 'utf8');
    const { version, changed } = await call.tools.withContext((ctx) => loadCatalogue(ctx, json, 'file'));
    const lines = [
      version === undefined
        ? 'this catalogue is already loaded; nothing changed'
        : `catalogue ${version}: ${changed} TLDs changed`,
    ];
    return { lines, json: { version: version ?? null, changed } };
  },
};

const list: Command = {
  name: 'tld list',
  summary: 'List the TLD catalogue; with --json in the format of `tld load`',
  usage: 'tld list',
  async run({ tools }) {
    const entries = await tools.withContext((ctx) => readCatalogueEntries(ctx));
    return {
      lines: [...new Set(entries.map((tld) => `${tld.label}  catalogue ${tld.catalogue_version}`))],
      json: entries.map(catalogueEntry),
    };
  },
};

export const tldCommands: readonly Command[] = [load, list];
