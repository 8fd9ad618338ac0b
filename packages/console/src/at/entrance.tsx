import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../parts/button.tsx';
import { Mark } from '../parts/mark.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Support } from '../parts/support.tsx';
import { comesToWork, hostOwner, houseName, readBrand } from '../session/brand.ts';
import { CustomerForm } from './form.tsx';
import { words } from './words.ts';

/** `/at/1000`, or a host of its own: where customers of that account sign in, under the brand that it or the nearest account above it has put up; where there is none, under no name at all. */
export default function SignInAt() {
  const w = words();
  const { path } = useLocation();
  const resellerId = /^\/app\/at\/(\d+)/.exec(path)?.[1] ?? hostOwner.value ?? '';
  useEffect(() => void readBrand(resellerId), [resellerId]);
  const work = () => {
    comesToWork.value = true;
  };
  return (
    <main class="entrance">
      <div class="entrance-card">
        <Mark isOurs={false} />
        <PageHead title={w.title} lead={houseName('') || w.lead} app={houseName('')} />
        <CustomerForm resellerId={resellerId} />
        <p class="faint">{w.lost}</p>
        {hostOwner.value && (
          <Button kind="quiet" onClick={work}>
            {w.comesToWork}
          </Button>
        )}
        <Support />
      </div>
    </main>
  );
}
