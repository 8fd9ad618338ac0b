import type { Browser, BrowserContextOptions } from 'playwright-core';
import { startChromium } from '../../tools/chromium.ts';

/**
 * Windows of one context share a process. Pages live for seconds: optimising their scripts takes longer than they run, and
 * compiled code is discarded before the next page needs it.
 */
const forShortLives = [
  '--process-per-site',
  '--js-flags=--no-opt --no-maglev --no-flush-bytecode --single-threaded-gc',
];

let running: Promise<Browser> | undefined;

/** One Chromium for all files of a worker. Windows opened here share nothing and are closed together. */
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
