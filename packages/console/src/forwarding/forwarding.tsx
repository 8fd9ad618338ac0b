import { useRoute } from 'preact-iso';
import { useResource } from '../data/resource.ts';
import { NameHead } from '../domains/name-head.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import './forwarding.css';
import { Mail } from './mail.tsx';
import { Web } from './web.tsx';

export default function Forwarding() {
  const name = useRoute().params.name ?? '';
  const domain = useResource('/domains/{domain_id}', { path: { domain_id: name } });
  return (
    <>
      <NameHead
        name={name}
        at="forwarding"
        actions={<CopyCurl method="get" address={`/v1/domains/${name}/forwarding`} />}
      />
      {domain.trouble && <TroubleNote trouble={domain.trouble} onAgain={domain.again} />}
      {domain.data && <Web name={name} />}
      {domain.data && <Mail name={name} />}
    </>
  );
}
