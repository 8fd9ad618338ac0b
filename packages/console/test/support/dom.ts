import { type ComponentChild, h, options, render } from 'preact';
import { LocationProvider, Route, Router } from 'preact-iso';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { setBusinessTime } from '../../src/data/clock.ts';
import { cache } from '../../src/data/resource.ts';
import { type Locale, locale } from '../../src/messages/locale.ts';
import { currentSession } from '../../src/session/current-session.ts';
import { example, FakeApi } from './api.ts';

/**
 * Renders components of the console in a light DOM (happy-dom): no layout, no style sheets, no browser.
 * `const page = usePage()` at the start of a file gives each test an empty page and a new API.
 */
class TestPage {
  readonly api = new FakeApi();
  readonly root = document.createElement('main');

  constructor() {
    this.root.tabIndex = -1;
    document.body.append(this.root);
  }

  /** Renders a component at an address. With `route`, the component gets the parameters of the address. */
  async show(
    component: ComponentChild | (() => ComponentChild),
    { at = '/app', route }: { readonly at?: string; readonly route?: string } = {},
  ): Promise<void> {
    history.replaceState(null, '', at);
    const inner =
      component instanceof Function
        ? h(
            Router,
            null,
            h(Route, { path: route ?? at.split('?')[0]!, component }),
            h(Route, { default: true, component: Nothing }),
          )
        : component;
    // Pages expect an element of the shell around them.
    render(h(LocationProvider, { scope: '/app', children: inner }), this.root);
    await this.settle();
  }

  /** Removes the component, as leaving the page does. */
  async leave(): Promise<void> {
    render(null, this.root);
    await this.settle();
  }

  /** Waits until all answers have arrived and nothing more is rendered. Held answers are not waited for. */
  async settle(): Promise<void> {
    const started = performance.now();
    for (let quiet = 0, before = ''; quiet < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setTimeout(resolve, 0));
      const state = `${renders} ${this.api.requests.length} ${this.api.pending}`;
      quiet = state === before && this.api.pending === 0 ? quiet + 1 : 0;
      before = state;
      if (performance.now() - started > longestMs)
        throw new Error(`the page does not become quiet: ${this.api.pending} requests have no answer`);
    }
  }

  /** Waits for a condition that needs time, such as the end of a typing pause. */
  async until(condition: () => unknown): Promise<void> {
    await expect.poll(condition, { timeout: longestMs, interval: 5 }).toBeTruthy();
    await this.settle();
  }

  /** The visible text of the page or of an element. */
  text(of: Element = this.root): string {
    return textOf(of);
  }

  /** All elements of a role, optionally with an accessible name. */
  all(role: Role, name?: string | RegExp, within: ParentNode = document): HTMLElement[] {
    return [...within.querySelectorAll<HTMLElement>(selectors[role])].filter(
      (each) => isVisible(each) && (name === undefined || isNamed(each, name)),
    );
  }

  /** The only element of a role and name. */
  get(role: Role, name?: string | RegExp, within: ParentNode = document): HTMLElement {
    const found = this.all(role, name, within);
    if (found.length === 1) return found[0]!;
    const others = this.all(role, undefined, within).map((each) => JSON.stringify(nameOf(each)));
    throw new Error(
      `${found.length} elements are ${role} ${String(name ?? '')}; there are ${others.join(', ') || 'none'}`,
    );
  }

  has(role: Role, name?: string | RegExp, within: ParentNode = document): boolean {
    return this.all(role, name, within).length > 0;
  }

  button = (name: string | RegExp, within?: ParentNode): HTMLButtonElement =>
    this.get('button', name, within) as HTMLButtonElement;

  /** The input with a label. */
  input = (label: string | RegExp, within?: ParentNode): HTMLInputElement =>
    this.get('input', label, within) as HTMLInputElement;

  /** The input with the name of an API field. */
  field(name: string, within: ParentNode = document): HTMLInputElement {
    const found = [...within.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)];
    if (found.length !== 1) throw new Error(`${found.length} inputs have the name ${name}`);
    return found[0]!;
  }

  /** The error shown at a field; undefined if it has none. */
  errorAt(name: string): string | undefined {
    const input = this.field(name);
    const note = document.getElementById(input.getAttribute('aria-describedby') ?? '');
    return note?.querySelector('.wrong-text')?.textContent ?? undefined;
  }

  /** Cells of each row of the body of a table. */
  rows(table: ParentNode = this.root): string[][] {
    return [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => textOf(cell)));
  }

  async click(element: HTMLElement): Promise<void> {
    clickOnce(element);
    await this.settle();
  }

  /** Two clicks as fast as a mouse sends them: rendering happens between them, answers do not arrive. */
  async doubleClick(element: HTMLElement): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.api.pause = promise;
    clickOnce(element);
    await new Promise((rendered) => setImmediate(rendered));
    if (element.isConnected) clickOnce(element);
    this.api.pause = undefined;
    resolve();
    await this.settle();
  }

  /** Replaces the text of an input, or chooses an option of a select. */
  async type(element: HTMLElement, text: string): Promise<void> {
    const input = element as HTMLInputElement;
    if (input.disabled || input.readOnly) throw new Error(`${nameOf(input)} cannot be edited`);
    input.focus();
    if (element instanceof HTMLSelectElement && ![...element.options].some(({ value }) => value === text))
      throw new Error(`${nameOf(element)} has no option ${text}: ${[...element.options].map(({ value }) => value)}`);
    input.value = text;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    await this.settle();
  }

  /** Presses a key in the focused element, with the effects of the browser on forms and dialogs. */
  async press(key: string, init: KeyboardEventInit = {}): Promise<void> {
    const target = (document.activeElement ?? document.body) as HTMLElement;
    const isFree = target.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }),
    );
    if (isFree && key === 'Enter') submitFrom(target);
    if (isFree && key === 'Escape') cancelTopDialog();
    target.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true, ...init }));
    await this.settle();
  }

  close(): void {
    render(null, this.root);
    document.body.replaceChildren();
    cache.clear();
    localStorage.clear();
    sessionStorage.clear();
  }
}

const Nothing = () => null;
const longestMs = 120_000;

/** One page for each test of the file; a request that openapi.json does not describe, or that has no answer, fails the test. */
export function usePage(): TestPage {
  let page: TestPage | undefined;
  const fetchBefore = globalThis.fetch;
  beforeEach(() => {
    page = new TestPage();
    globalThis.fetch = page.api.fetch as typeof fetch;
    Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true });
    speak('en');
    signIn();
  });
  afterEach(() => {
    const complaints = page?.api.complaints;
    page?.close();
    globalThis.fetch = fetchBefore;
    expect(complaints).toEqual([]);
  });
  return new Proxy({} as TestPage, {
    get: (_, name) => {
      const value = Reflect.get(page!, name) as unknown;
      return value instanceof Function ? value.bind(page) : value;
    },
  });
}

export function speak(language: Locale): void {
  locale.value = language;
  document.documentElement.lang = language;
}

/** Signs in an owner of the account; `changes` replaces parts of the session. */
export function signIn({
  account,
  person,
  ...changes
}: {
  readonly account?: Partial<Schema<'Membership'>>;
  readonly person?: Partial<Schema<'SessionUser'>>;
  readonly customer?: Schema<'Session'>['customer'];
  readonly is_sandbox?: boolean;
  readonly business_time?: string;
} = {}): void {
  const usual = example('Session');
  const session = {
    ...usual,
    ...changes,
    account: { ...usual.account, ...account },
    person: { ...usual.person, language: locale.value, time_zone: 'UTC', ...person },
  };
  currentSession.value = session;
  setBusinessTime(session.business_time);
}

const fieldSelector = 'input:not([type=hidden]), select, textarea';
const selectors = {
  alert: '[role=alert]',
  button: 'button:not([role]), [role=button]',
  cell: 'td, th',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  dialog: 'dialog[open], [role=dialog]',
  grid: '[role=grid]',
  group: 'fieldset, [role=group]',
  heading: 'h1, h2, h3, h4',
  input: fieldSelector,
  link: 'a[href]',
  listitem: 'li',
  menuitem: '[role^=menuitem]',
  navigation: 'nav',
  option: '[role=option]',
  radio: 'input[type=radio], [role=radio]',
  region: 'section, [role=region]',
  row: 'tr, [role=row]',
  status: '[role=status]',
  tab: '[role=tab]',
  table: 'table',
  term: 'dt',
} as const;
type Role = keyof typeof selectors;

const isVisible = (element: Element): boolean => element.closest('[hidden], [aria-hidden=true]') === null;

const isNamed = (element: HTMLElement, name: string | RegExp): boolean =>
  typeof name === 'string' ? nameOf(element) === name : name.test(nameOf(element));

/** The accessible name, without the less usual steps of its computation. */
function nameOf(element: HTMLElement): string {
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const byIds = ids.map((id) => textOf(document.getElementById(id) ?? undefined)).join(' ');
  const label = element.matches(fieldSelector) ? labelOf(element) : undefined;
  const own = element.matches(fieldSelector) ? '' : textOf(element);
  const legend = element.matches('fieldset') ? textOf(element.querySelector('legend') ?? undefined) : '';
  return (byIds || element.getAttribute('aria-label') || label || legend || own || element.title || '').trim();
}

function labelOf(element: HTMLElement): string | undefined {
  const label = (element.id && document.querySelector(`label[for="${element.id}"]`)) || element.closest('label');
  return label ? textOf(label) : undefined;
}

/** Text with single spaces, without hidden parts and the choices of selects. */
function textOf(element: Element | undefined): string {
  if (!element) return '';
  const read = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
    if (!(node instanceof Element) || !isVisible(node) || node.matches('select, script, style')) return '';
    const inner = [...node.childNodes].map(read).join('');
    return /^(BR|DIV|P|LI|TR|TD|TH|DT|DD|H[1-6]|SECTION|HEADER|UL|OL|DL|BUTTON|LABEL)$/.test(node.tagName)
      ? ` ${inner} `
      : inner;
  };
  return read(element)
    .replace(/[ \n\t]+/g, ' ')
    .trim();
}

function clickOnce(element: HTMLElement): void {
  if ((element as HTMLButtonElement).disabled) throw new Error(`${nameOf(element)} is disabled`);
  const press = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  if (element.dispatchEvent(press)) element.focus();
  element.dispatchEvent(new MouseEvent('mouseup', { bubbles: true, cancelable: true }));
  element.click();
}

/** HTML, implicit submission: Enter in a field clicks the first submit button of its form. */
function submitFrom(target: HTMLElement): void {
  if (target.matches('button, a[href]')) target.click();
  if (!target.matches('input')) return;
  const { form } = target as HTMLInputElement;
  const button = form?.querySelector<HTMLButtonElement>('button[type=submit], button:not([type])');
  if (button && !button.disabled) button.click();
  else if (form && !button) form.requestSubmit();
}

/** Escape cancels the last dialog that is open. */
function cancelTopDialog(): void {
  const top = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
  if (top?.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close();
}

/** Web Locks of one window, which happy-dom lacks. */
class Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  request<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work);
    this.#last.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  }
}

// Effects run as soon as possible instead of after a frame, and each rendering is counted.
let renders = 0;
const diffedBefore = options.diffed;
options.diffed = (vnode) => {
  renders += 1;
  diffedBefore?.(vnode);
};
options.requestAnimationFrame = (callback) => void setImmediate(callback);

// The popover API, which happy-dom lacks.
function toggle(element: HTMLElement, isOpen: boolean): void {
  if (element.hasAttribute('data-open') === isOpen) return;
  element.toggleAttribute('data-open', isOpen);
  element.dispatchEvent(Object.assign(new Event('toggle'), { newState: isOpen ? 'open' : 'closed' }));
}
HTMLElement.prototype.showPopover ??= function show(this: HTMLElement) {
  toggle(this, true);
};
HTMLElement.prototype.hidePopover ??= function hide(this: HTMLElement) {
  toggle(this, false);
};
document.addEventListener('click', ({ target }) => {
  const id = (target as HTMLElement).closest('[popovertarget]')?.getAttribute('popovertarget');
  const popover = id ? document.getElementById(id) : undefined;
  if (popover) toggle(popover, !popover.hasAttribute('data-open'));
});
