import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startChromium } from '../tools/chromium.ts';
import { ms, printTable, quantile } from './dns/table.ts';
import { basic, newFolder, type Started, startService } from './http/stage.ts';

/**
 * The cost of the console for a user: the build, a page until it can be used, and a keystroke in a long zone, with a processor slowed
 * four times. Each is compared with a page that has only a heading and a field, in the same browser, so that the machine affects both
 * equally.
 */
const rounds = 7;
const records = 5_000;
const slowedTimes = 4;
const promised = { buildMs: 5_000, homeMs: 1_500, zoneMs: 2_000, keyMs: 50 };
const typed = '192.0.2.77 and thirty keys more';

const bare = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><title>bare</title><h1>Hello</h1><input aria-label="Content">');
}).listen(0, '127.0.0.1');
const bareUrl = () => `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;

const middle = (times: readonly number[]) =>
  quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );

function measureBuild(): number {
  const program = fileURLToPath(new URL('../packages/console/build.ts', import.meta.url));
  const times = Array.from({ length: 3 }, () => {
    const began = performance.now();
    if (spawnSync(process.execPath, [program], { stdio: 'inherit' }).status !== 0) throw new Error('the build failed');
    return performance.now() - began;
  });
  return middle(times);
}

async function call(started: Started, method: string, path: string, json?: object) {
  const answer = await fetch(`${started.credentials.base_url}${path}`, {
    method,
    headers: { Authorization: basic(started.credentials), 'Content-Type': 'application/json' },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const name = 'long-zone.com';

async function makeZone(started: Started): Promise<void> {
  const contact = Object.fromEntries(
    ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, '3001']),
  );
  const order = { domain_name: name, customer_id: '2001', invoice_option: 'no_invoice', ...contact };
  const { domain_id } = (await call(started, 'POST', '/v1/domains', order)) as { domain_id: string };
  const sets = Array.from({ length: records }, (_, n) => ({
    name: `host-${n}`,
    type: 'A',
    ttl: 300,
    records: [`192.0.2.${n % 256}`],
  }));
  for (let n = 0; n < records; n += 1_000)
    await call(started, 'PATCH', `/v1/domains/${domain_id}/zone/rrsets`, { rrsets: sets.slice(n, n + 1_000) });
}

/** From the navigation to the main content, with the cache of a second visit. */
async function untilUsable(page: Page, address: string, usable: (page: Page) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await usable(page);
  // Two frames: what was drawn can be clicked.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return performance.now() - began;
}

/** From each key until its frame is drawn. */
async function untilDrawn(page: Page): Promise<number[]> {
  await page.evaluate(`{
    globalThis.drawn = [];
    addEventListener('keydown', () => {
      const began = performance.now();
      requestAnimationFrame(() => setTimeout(() => drawn.push(performance.now() - began)));
    }, { capture: true });
  }`);
  await page.keyboard.type(typed, { delay: 60 });
  return page.evaluate('new Promise((done) => setTimeout(() => done(drawn), 500))');
}

const kept: boolean[] = [];
const rows: string[][] = [['', 'median', 'bare page', 'ratio', 'promise', '']];
function tell(what: string, times: readonly number[], floor: readonly number[], promise: number): void {
  const [own, bareMs] = [middle(times), middle(floor)];
  kept.push(own <= promise);
  rows.push([
    what,
    ms(own),
    ms(bareMs),
    (own / bareMs).toFixed(1),
    ms(promise),
    own <= promise ? 'reached' : 'not reached',
  ]);
}

console.log(`load of the machine: ${loadavg()[0]!.toFixed(1)}`);
const build = measureBuild();
kept.push(build <= promised.buildMs);
rows.push(['build', ms(build), '', '', ms(promised.buildMs), build <= promised.buildMs ? 'reached' : 'not reached']);
const folder = newFolder();
const started = await startService(folder, [process.execPath, 'packages/server/src/main.ts', 'serve']);
const browser = await startChromium();
try {
  await makeZone(started);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const link = /(http\S+)\/welcome#code=\S+/.exec(started.said())!;
  await page.goto(link[0]);
  await page.getByLabel('Password').fill('a long enough one');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowedTimes });

  const app = link[1]!;
  const heading = (on: Page) => on.getByRole('heading', { name: 'Home' }).waitFor();
  // Not by its role: computing the names of a thousand cells costs the page more than drawing them.
  const grid = (on: Page) =>
    on
      .locator('.zone-grid td.name', { hasText: /^host-1$/ })
      .first()
      .waitFor();
  const times = { bare: [] as number[], home: [] as number[], zone: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(await untilUsable(page, bareUrl(), heading));
    times.home.push(await untilUsable(page, app, heading));
    times.zone.push(await untilUsable(page, `${app}/domains/${name}/dns`, grid));
  }
  tell('home, until it can be used', times.home, times.bare, promised.homeMs);
  tell(`zone of ${records} records, until it can be used`, times.zone, times.bare, promised.zoneMs);

  await page.getByRole('gridcell', { name: '192.0.2.1', exact: true }).first().focus();
  await page.keyboard.press('Enter');
  const keys = await untilDrawn(page);
  await page.goto(bareUrl());
  await page.getByLabel('Content').focus();
  tell(`a key in a grid of ${records} records, until it is drawn`, keys, await untilDrawn(page), promised.keyMs);
} finally {
  await browser.close();
  await started.stop();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
}
printTable(`console, processor slowed ${slowedTimes} times, ${rounds} rounds`, rows);
console.log(`load of the machine: ${loadavg()[0]!.toFixed(1)}`);
process.exit(kept.every(Boolean) ? 0 : 1);
