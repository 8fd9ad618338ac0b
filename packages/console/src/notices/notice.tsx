import { useRoute } from 'preact-iso';
import { useResource } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { languageNames } from '../words/speak.ts';
import './notices.css';
import { NoticeState } from './state.tsx';
import { words } from './words.ts';

/** `/notices/{id}`: what was written, to whom, and what became of it. */
export default function NoticePage() {
  const w = words();
  const { params } = useRoute();
  const found = useResource('/notices/{notice_id}', { path: { notice_id: params.id ?? '' } });
  const notice = found.data;
  if (!notice)
    return (
      <>
        <PageHead title={w.title} />
        {found.trouble ? <TroubleNote trouble={found.trouble} onAgain={found.again} /> : <Waiting rows={8} />}
      </>
    );
  return (
    <>
      <PageHead
        title={notice.subject}
        shown={<span lang={notice.language}>{notice.subject}</span>}
        lead={w.kinds[notice.kind] ?? notice.kind}
      />
      <Card title={w.facts}>
        <Facts
          rows={[
            [w.state, <NoticeState key="s" state={notice.state} />],
            [w.recipient, `${notice.recipient} <${notice.address}>`],
            [w.written, <Moment key="w" at={notice.created_at} withTime />],
            [w.ended, <Moment key="e" at={notice.ended_at ?? ''} withTime />],
            [w.tries, String(notice.tries)],
            [w.result, notice.result ?? '–'],
            [w.language, languageNames[notice.language]],
          ]}
        />
      </Card>
      <Card title={w.text}>
        <p class="faint">{w.textNote}</p>
        {/* Somebody's words: as text, never as a page. */}
        <pre class="notice-text" lang={notice.language}>
          {notice.text}
        </pre>
      </Card>
    </>
  );
}
