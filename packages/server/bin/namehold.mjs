#!/usr/bin/env node
// Finds a Node that is new enough and hands over; see tools/bootstrap.mjs for the whole set-up.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../../..');
const packaged = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`]
  .map((name) => join(root, 'node_modules', name, 'bin', 'node'))
  .find(existsSync);
const node = Number(process.versions.node.split('.')[0]) >= 26 ? process.execPath : packaged;
if (!node) {
  console.error(
    `Namehold needs Node 26 or newer; this is ${process.version}. Run npm ci in its folder, or install one.`,
  );
  process.exit(1);
}
// By the channel it notices when we are killed.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
const child = spawn(node, [resolve(here, '../src/main.ts'), ...process.argv.slice(2)], { stdio });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
