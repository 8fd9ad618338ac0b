import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { newFolder, startService } from '../bench/http/stage.ts';
import { startChromium } from './chromium.ts';

/** Makes the pictures of the README and of the guide from a first start: `npm run pictures`. */
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const name = 'santoso-coffee.com';
const timeoutMs = 60_000;

async function take(page: Page, file: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: `${folder}${file}.png` });
}

mkdirSync(folder, { recursive: true });
const data = newFolder();
const main = [process.execPath, 'packages/server/src/main.ts', 'serve'];
const started = await startService(data, main, { NAMEHOLD_DEMO_DOMAINS: 'on', NAMEHOLD_DNS_PORT: '0' });
const browser = await startChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  page.setDefaultTimeout(timeoutMs);
  const [link, app] = /(http\S+)\/welcome#code=\S+/.exec(started.said())!;
  await page.goto(link);
  await page.getByLabel('Password').fill('a long enough one');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByText('Deletion').first().waitFor();
  await page.locator('canvas').nth(1).waitFor();
  await take(page, 'home');
  await page.goto(`${app}/domains/${name}`);
  await page.locator('ol.milestones li').first().waitFor();
  await take(page, 'domain');
  await page.goto(`${app}/domains/${name}/dns`);
  await page.getByRole('grid').getByText('MX').first().waitFor();
  await take(page, 'dns-editor');
} finally {
  await browser.close();
  await started.stop();
  rmSync(data, { recursive: true, force: true });
}
