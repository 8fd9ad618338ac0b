import { CopyCurl } from '../parts/copy-curl.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { AllHolds } from './holds.tsx';
import { AllNames } from './names.tsx';
import { words } from './words.ts';

export default function Figures() {
  const w = words();
  return (
    <>
      <PageHead
        title={w.figures}
        lead={w.figuresLead}
        actions={<CopyCurl method="get" address="/v1/operator/series/names" />}
      />
      <AllNames />
      <AllHolds />
    </>
  );
}
