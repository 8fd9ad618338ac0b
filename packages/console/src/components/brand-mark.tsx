import { brand } from '../session/brand.ts';
import { currentSession } from '../session/current-session.ts';

/** The logo: that of the brand, or ours if the account has no brand. */
export function BrandMark({ isOurs = true }: { readonly isOurs?: boolean }) {
  const currentBrand = brand();
  if (currentBrand?.logo_path) return <img class="logo" src={currentBrand.logo_path} alt="" />;
  if (currentBrand || currentSession.value?.customer || !isOurs) return null;
  return <span class="mark" aria-hidden="true" />;
}
