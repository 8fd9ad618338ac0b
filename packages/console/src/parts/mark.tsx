import { brand } from '../session/brand.ts';
import { who } from '../session/who.ts';

/** The picture of who runs the house: a brand has its own or none, and only without a brand there is ours. */
export function Mark({ isOurs = true }: { readonly isOurs?: boolean }) {
  const shown = brand();
  if (shown?.logo_path) return <img class="logo" src={shown.logo_path} alt="" />;
  if (shown || who.value?.customer || !isOurs) return null;
  return <span class="mark" aria-hidden="true" />;
}
