import './brand.css';
import type { AnswerOf } from '../api/shapes.ts';
import { useResource, versionOf } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Waiting } from '../parts/empty.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may, who } from '../session/who.ts';
import { Hosts } from './hosts.tsx';
import { Logo } from './logo.tsx';
import { Look } from './look.tsx';
import { MailBrand } from './mail.tsx';
import { words } from './words.ts';

export type Brand = AnswerOf<'/brand', 'get'>;

export default function BrandPage() {
  const w = words();
  const brand = useResource('/brand', {});
  return (
    <>
      <PageHead title={w.brand} lead={w.lead} />
      {brand.trouble && <TroubleNote trouble={brand.trouble} onAgain={brand.again} />}
      {brand.data ? <Cards of={brand.data} version={versionOf(brand)} /> : !brand.trouble && <Waiting />}
    </>
  );
}

function Cards({ of, version }: { readonly of: Brand; readonly version: string | undefined }) {
  const w = words();
  const isWriter = may('account:write');
  return (
    <div class="stack">
      {!isWriter && <p class="faint">{w.readOnly}</p>}
      {!of.own && of.shown && <p class="faint">{w.inherited(of.shown.name)}</p>}
      <Look of={of} version={version} />
      {isWriter && <Logo of={of} />}
      <Card title={w.page}>
        <CopyText text={`${location.origin}/app/at/${who.value?.account.reseller_id ?? ''}`} />
      </Card>
      {isWriter && <Hosts />}
      {isWriter && <MailBrand />}
    </div>
  );
}
