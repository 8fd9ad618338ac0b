import { effect, signal } from '@preact/signals';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { currentSession } from './current-session.ts';

type Brand = Schema<'ShownBrand'>;

/** The brand of pages without a session. */
const entranceBrand = signal<Brand | null>(null);

/** The account that owns this host; null: none; undefined: not read yet. Its customers sign in here. */
export const hostOwner = signal<string | null | undefined>(undefined);

/** On a custom host, staff choose the staff sign-in. */
export const isStaffSignIn = signal(false);

/** The current brand; null: no brand. */
export const brand = (): Brand | null => (currentSession.value ? currentSession.value.brand : entranceBrand.value);

/** The name of the brand. Without a brand, customers see the company of their provider and others the product name. */
export const productName = (app: string): string =>
  brand()?.name ?? (currentSession.value?.customer ? currentSession.value.account.company : app);

/** The provider of a customer, with its support contact if there is one. */
export function provider(): string {
  const support = brand()?.support;
  return `${productName('')}${support ? ` (${support})` : ''}`;
}

/** The brand of an account or of the installation. Errors are ignored. */
export async function readBrand(resellerId?: string): Promise<void> {
  try {
    const query = resellerId ? { reseller_id: resellerId } : {};
    const { body } = await call('get', '/brand/shown', { query }, { isSignIn: true });
    entranceBrand.value = body.brand;
    hostOwner.value = body.host_reseller_id;
  } catch {
    entranceBrand.value = null;
  }
}

let link: HTMLLinkElement | undefined;

// A separate style sheet, because the policy forbids inline styles.
effect(() => {
  const href = brand()?.css_path;
  if (!href) {
    link?.remove();
    link = undefined;
    return;
  }
  link ??= document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'stylesheet' }));
  if (link.getAttribute('href') !== href) link.setAttribute('href', href);
});
