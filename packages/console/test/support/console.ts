import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { seedAt } from '../../../../test/sim/seeds.ts';
import { openBrowser } from '../../../../test/support/browser.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { times } from '../../../../test/support/times.ts';
import { type Member, openSession } from '../../../../test/support/users.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A user on a page of the console. */
export interface Visitor extends Member {
  readonly at?: string;
}

export interface ConsoleTest {
  readonly t: TestService;
  /** Requests to other origins, policy violations and errors. Each test must end without any. */
  readonly complaints: string[];
  /** A new user signed in to the account, at home or at another page, in a separate browser. */
  signIn(resellerId: string, visitor?: Visitor): Promise<Page>;
  /** A separate browser without a session. */
  open(path: string, at?: string): Promise<Page>;
  /**
   * Reuses this browser for the next test, signed out and without a page, because opening a window is slow. A test that
   * leaves state in the browser closes it instead: `page.context().close()`.
   */
  leave(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/** One service and one Chromium per test file. */
export async function openConsole(given?: TestService): Promise<ConsoleTest> {
  const t = given ?? (await startTestService({ sandbox: true }));
  const browser = await openBrowser();
  const complaints: string[] = [];
  const left: Page[] = [];
  const newBrowser = async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await context.exposeFunction('policyBroken', (what: string) => complaints.push(`policy: ${what}`));
    await context.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => policyBroken(event.violatedDirective + ' ' + event.blockedURI))`,
    );
    const page = await context.newPage();
    page.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? 300_000));
    const slowed = Number(process.env.SLOWED_TIMES ?? 1);
    if (slowed > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowed });
    return page;
  };
  const newPage = async (at = t.url) => {
    const page = left.pop() ?? (await newBrowser());
    watch(page, at, complaints);
    return page;
  };
  return {
    t,
    complaints,
    async open(path, at = t.url) {
      const page = await newPage(at);
      await page.goto(`${at}${path}`);
      return page;
    },
    async signIn(resellerId, { at = '/app', ...member } = {}) {
      const page = await newPage();
      // As the welcome page does, which has its own tests.
      await page.context().addCookies([{ ...cookieIn(await openSession(t, resellerId, member)), url: t.url }]);
      await page.goto(`${t.url}${at}`);
      await page.locator('main h1').first().waitFor();
      return page;
    },
    async leave(page) {
      const context = page.context();
      for (const each of context.pages()) if (each !== page) await each.close();
      for (const event of listenedTo) page.removeAllListeners(event);
      await page.unrouteAll();
      await context.unrouteAll();
      await page.goto(new URL('/healthz', page.url()).href);
      await page.evaluate('sessionStorage.clear()');
      await context.clearCookies();
      left.push(page);
    },
    async stop() {
      await browser.close();
      if (!given) await t.stop();
    },
  };
}

function cookieIn(pair: string): { readonly name: string; readonly value: string } {
  const end = pair.indexOf('=');
  return { name: pair.slice(0, end), value: pair.slice(end + 1) };
}

const listenedTo = ['pageerror', 'request', 'requestfailed', 'response'] as const;

function watch(page: Page, own: string, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`failed: ${String(error)}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith('data:')) complaints.push(`left: ${request.url()}`);
  });
}

/** Presses a button by keyboard once it is enabled. A key on a disabled button is lost without an error, and so is Enter in its form. */
export async function pressEnter(button: Locator, on: Locator = button): Promise<void> {
  await button.click({ trial: true });
  await on.press('Enter');
}

/** Opens a menu by keyboard. It focuses its first item a moment later: a key that is pressed before that goes to that item. */
export async function openMenu(button: Locator): Promise<void> {
  await pressEnter(button);
  await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
}

/** Rules whose result depends on the theme; the others run in the first theme only. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

interface IsolatedWorld {
  readonly session: CDPSession;
  readonly executionContextId: number;
}
const worlds = new WeakMap<Page, IsolatedWorld>();

/**
 * Loads axe in an isolated world, where the policy of the page does not apply. Loading takes as long as a check, so axe
 * stays until the document changes.
 */
async function worldOf(page: Page): Promise<IsolatedWorld> {
  const known = worlds.get(page);
  const isThere = await known?.session
    .send('Runtime.evaluate', { expression: 'axe.version', contextId: known.executionContextId })
    .then(
      ({ exceptionDetails }) => !exceptionDetails,
      () => false,
    );
  if (known && isThere) return known;
  const session = known?.session ?? (await page.context().newCDPSession(page));
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  await session.send('Runtime.evaluate', { expression: axeSource, contextId: executionContextId });
  const world = { session, executionContextId };
  worlds.set(page, world);
  return world;
}

/** Parts of pages that passed in a theme, by content. */
const right = new Set<string>();

/**
 * The unchanged parts that need no check: the frame of a page, and the page below a dialog.
 * Parts below a dialog are not recorded as checked.
 */
async function lookedAtBefore(page: Page, theme: string) {
  const { shapes, hasDialog } = await page.evaluate<{ shapes: [string, string][]; hasDialog: boolean }>(`(() => {
    const shapeOf = (part) => {
      const copy = part.cloneNode(true);
      for (const each of copy.querySelectorAll('dialog')) each.remove();
      return copy.outerHTML.replaceAll(/>[^<]+</g, '>…<').replaceAll(/ (?:aria-current|href)="[^"]*"/g, '');
    };
    const around = ':is(main, main *):has(dialog[open]) > :not(dialog[open], :has(dialog[open]))';
    const main = document.querySelector('main dialog[open]') ? around : 'main';
    return {
      shapes: [['.side', '.side'], ['main', main]].flatMap(([part, without]) =>
        [...document.querySelectorAll(part)].map((each) => [without, shapeOf(each)])),
      hasDialog: document.querySelector('dialog[open]') !== null,
    };
  })()`);
  const seen = shapes.map(([without, shape]) => [without, `${theme} ${shape}`] as const);
  return {
    parts: seen.filter(([, shape]) => right.has(shape)).map(([without]) => [without]),
    isRight() {
      if (!hasDialog) for (const [, shape] of seen) right.add(shape);
    },
  };
}

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
let looks = seedAt(0);

/** Light, dark and twice no check take turns, and the commit decides which is first. The long run checks both themes everywhere. */
const themesNow = (): readonly Theme[] => (times(1, 2) === 2 ? themes : themes.slice(looks % 4, (looks++ % 4) + 1));

/** Checks WCAG with axe. Returns findings with their first places; there must be none. */
export async function expectAccessible(page: Page, themesOfLook: readonly Theme[] = themesNow()): Promise<void> {
  if (themesOfLook.length === 0) return;
  const { session, executionContextId } = await worldOf(page);
  const look = (exclude: string[][], options: object) => ({
    expression: `axe.run(${JSON.stringify({ exclude })}, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations.map((each) => each.id + ': ' + each.help + ' at ' + each.nodes.map((node) => node.html.slice(0, 200)).slice(0, 2).join(' and ')))`,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  for (const [at, theme] of themesOfLook.entries()) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    const options = at === 0 ? {} : { runOnly: { type: 'rule', values: rulesOfColour } };
    const before = await lookedAtBefore(page, theme);
    const { result } = await session.send('Runtime.evaluate', look(before.parts, options));
    expect(result.value, `${page.url()} in ${theme}`).toEqual([]);
    before.isRight();
  }
  await page.evaluate(`document.documentElement.dataset.theme = 'system'`);
}

/** Screenshots of a page in both themes and two widths: `PICTURES=/tmp/pictures npm test packages/console`. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const [size, viewport] of [
    ['desk', { width: 1280, height: 800 }],
    ['phone', { width: 360, height: 740 }],
  ] as const)
    for (const theme of ['light', 'dark']) {
      await page.setViewportSize(viewport);
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'; scrollTo(0, 0)`);
      await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`), fullPage: true });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(`document.documentElement.dataset.theme = 'system'`);
}
