import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Mark } from '../parts/mark.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Support } from '../parts/support.tsx';
import { readBrand } from './brand.ts';

interface Given {
  readonly title: string;
  readonly lead: string;
  readonly children: ComponentChildren;
}

/** A page without the shell: nobody is signed in. It looks as the installation does. */
export function Entrance({ title, lead, children }: Given) {
  useEffect(() => void readBrand(), []);
  return (
    <main class="entrance">
      <div class="entrance-card">
        <Mark />
        <PageHead title={title} lead={lead} />
        {children}
        <Support />
      </div>
    </main>
  );
}
