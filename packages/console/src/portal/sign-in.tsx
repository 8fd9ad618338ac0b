import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BrandMark } from '../components/brand-mark.tsx';
import { Button } from '../components/button.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Support } from '../components/support.tsx';
import { hostOwner, isStaffSignIn, productName, readBrand } from '../session/brand.ts';
import { messages } from './messages.ts';
import { PortalSignInForm } from './sign-in-form.tsx';

/** `/at/1000` or a custom host: the sign-in page for customers of an account, with its brand or that of the nearest parent account. */
export default function PortalSignIn() {
  const t = messages();
  const { path } = useLocation();
  const resellerId = /^\/app\/at\/(\d+)/.exec(path)?.[1] ?? hostOwner.value ?? '';
  useEffect(() => void readBrand(resellerId), [resellerId]);
  const work = () => {
    isStaffSignIn.value = true;
  };
  return (
    <main class="entrance">
      <div class="entrance-card">
        <BrandMark isOurs={false} />
        <PageHead title={t.title} lead={productName('') || t.lead} app={productName('')} />
        <PortalSignInForm resellerId={resellerId} />
        <p class="faint">{t.forgotPassword}</p>
        {hostOwner.value && (
          <Button kind="quiet" onClick={work}>
            {t.isStaffSignIn}
          </Button>
        )}
        <Support />
      </div>
    </main>
  );
}
