import type { Browser, BrowserContextOptions } from 'playwright-core';
import { startChromium } from '../../tools/chromium.ts';

/**
 * Windows of one context share a process. Pages live for seconds: to make their scripts quick takes longer than they run, and what was
 * compiled is thrown away before the next page needs it.
 */
const forShortLives = [
  '--process-per-site',
  '--js-flags=--no-opt --no-maglev --no-flush-bytecode --single-threaded-gc',
];

let running: Promise<Browser> | undefined;

/** One Chromium for all files of a worker, which goes with it. What is opened here shares nothing and is closed together. */
export async function openBrowser() {
  running ??= startChromium(forShortLives);
  const browser = await running;
  const contexts: { close(): Promise<void> }[] = [];
  return {
    async newContext(options?: BrowserContextOptions) {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
    async close() {
      for (const context of contexts.splice(0)) await context.close();
    },
  };
}
