import './brand.css';
import type { ResponseBody } from '../api/shapes.ts';
import { Card } from '../components/card.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { PageHead } from '../components/page-head.tsx';
import { useResource, versionOf } from '../data/resource.ts';
import { currentSession, may } from '../session/current-session.ts';
import { Appearance } from './appearance.tsx';
import { Hosts } from './hosts.tsx';
import { Logo } from './logo.tsx';
import { MailBrand } from './mail.tsx';
import { messages } from './messages.ts';

export type Brand = ResponseBody<'/brand', 'get'>;

export default function BrandPage() {
  const t = messages();
  const brand = useResource('/brand', {});
  return (
    <>
      <PageHead title={t.brand} lead={t.lead} />
      {brand.error && <ErrorBanner error={brand.error} onRetry={brand.refetch} />}
      {brand.data ? <Cards of={brand.data} version={versionOf(brand)} /> : !brand.error && <Skeleton />}
    </>
  );
}

function Cards({ of, version }: { readonly of: Brand; readonly version: string | undefined }) {
  const t = messages();
  const isWriter = may('account:write');
  return (
    <div class="stack">
      {!isWriter && <p class="faint">{t.readOnly}</p>}
      {!of.own && of.shown && <p class="faint">{t.inherited(of.shown.name)}</p>}
      <Appearance of={of} version={version} />
      {isWriter && <Logo of={of} />}
      <Card title={t.page}>
        <CopyText text={`${location.origin}/app/at/${currentSession.value?.account.reseller_id ?? ''}`} />
      </Card>
      {isWriter && <Hosts />}
      {isWriter && <MailBrand />}
    </div>
  );
}
