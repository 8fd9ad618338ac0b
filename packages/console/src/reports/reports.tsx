import { CopyCurl } from '../components/copy-curl.tsx';
import { PageHead } from '../components/page-head.tsx';
import { PlatformDomainCounts } from './domain-counts.tsx';
import { PlatformHolds } from './holds.tsx';
import { messages } from './messages.ts';

export default function Reports() {
  const t = messages();
  return (
    <>
      <PageHead
        title={t.reports}
        lead={t.reportsLead}
        actions={<CopyCurl method="get" address="/v1/operator/series/names" />}
      />
      <PlatformDomainCounts />
      <PlatformHolds />
    </>
  );
}
