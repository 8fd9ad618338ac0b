import { useRoute } from 'preact-iso';
import { CopyCurl } from '../components/copy-curl.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { useResource } from '../data/resource.ts';
import { DomainHead } from '../domains/domain-head.tsx';
import './forwarding.css';
import { Mail } from './mail.tsx';
import { Web } from './web.tsx';

export default function Forwarding() {
  const name = useRoute().params.name ?? '';
  const domain = useResource('/domains/{domain_id}', { path: { domain_id: name } });
  return (
    <>
      <DomainHead
        name={name}
        at="forwarding"
        actions={<CopyCurl method="get" address={`/v1/domains/${name}/forwarding`} />}
      />
      {domain.error && <ErrorBanner error={domain.error} onRetry={domain.refetch} />}
      {domain.data && <Web name={name} />}
      {domain.data && <Mail name={name} />}
    </>
  );
}
