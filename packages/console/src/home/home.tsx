import { PageHead } from '../parts/page-head.tsx';
import { who } from '../session/who.ts';
import { words } from '../words/words.ts';

export default function Home() {
  return <PageHead title={words().home} lead={who.value?.account.company} />;
}
