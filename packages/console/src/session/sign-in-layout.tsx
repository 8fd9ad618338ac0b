import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { BrandMark } from '../components/brand-mark.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Support } from '../components/support.tsx';
import { readBrand } from './brand.ts';

interface Props {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly children: ComponentChildren;
}

/** The layout of pages without a session. */
export function SignInLayout({ title, lead, children }: Props) {
  useEffect(() => void readBrand(), []);
  return (
    <main class="entrance">
      <div class="entrance-card">
        <BrandMark />
        <PageHead title={title} lead={lead} />
        {children}
        <Support />
      </div>
    </main>
  );
}
