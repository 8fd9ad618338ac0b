import { effect, signal } from '@preact/signals';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { who } from './who.ts';

type Brand = Shape<'ShownBrand'>;

/** How a page looks where nobody is signed in. */
const atEntrance = signal<Brand | null>(null);

/** Whose host this is; null: nobody's; undefined: not asked yet. Its customers sign in here. */
export const hostOwner = signal<string | null | undefined>(undefined);

/** At such a host, whoever works for the account says so. */
export const comesToWork = signal(false);

/** How pages look; null: as they come. */
export const brand = (): Brand | null => (who.value ? who.value.brand : atEntrance.value);

/** What stands where the product's name would. Customers never see ours. */
export const houseName = (app: string): string =>
  brand()?.name ?? (who.value?.customer ? who.value.account.company : app);

/** Of an account, or of the installation. Without an answer the page looks as it comes. */
export async function readBrand(resellerId?: string): Promise<void> {
  try {
    const query = resellerId ? { reseller_id: resellerId } : {};
    const { body } = await call('get', '/brand/shown', { query }, { isSignIn: true });
    atEntrance.value = body.brand;
    hostOwner.value = body.host_reseller_id;
  } catch {
    atEntrance.value = null;
  }
}

let link: HTMLLinkElement | undefined;

// A style sheet of its own, behind the others: nothing inline.
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
