import { useRoute } from 'preact-iso';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { useResource } from '../data/resource.ts';
import { localeNames } from '../messages/locale.ts';
import './notices.css';
import { messages } from './messages.ts';
import { NoticeState, recipientText } from './state.tsx';

/** `/notices/{id}`: the text of an email, its recipient and its delivery. */
export default function NoticePage() {
  const t = messages();
  const { params } = useRoute();
  const found = useResource('/notices/{notice_id}', { path: { notice_id: params.id ?? '' } });
  const notice = found.data;
  if (!notice)
    return (
      <>
        <PageHead title={t.title} />
        {found.error ? <ErrorBanner error={found.error} onRetry={found.refetch} /> : <Skeleton rows={8} />}
      </>
    );
  return (
    <>
      <PageHead
        title={notice.subject}
        heading={<span lang={notice.language}>{notice.subject}</span>}
        lead={t.kinds[notice.kind] ?? notice.kind}
      />
      <Card title={t.facts}>
        <Facts
          rows={[
            [t.state, <NoticeState key="s" state={notice.state} />],
            [t.recipient, recipientText(notice)],
            [t.written, <Moment key="w" at={notice.created_at} withTime />],
            [t.endedAs[notice.state], <Moment key="e" at={notice.ended_at ?? ''} withTime />],
            [t.tries, String(notice.tries)],
            [t.result, notice.result ?? '–'],
            [t.language, localeNames[notice.language]],
          ]}
        />
      </Card>
      <Card title={t.text}>
        <p class="faint">{t.textNote}</p>
        {/* User-supplied text: rendered as text, never as HTML. */}
        <pre class="notice-text" lang={notice.language}>
          {notice.text}
        </pre>
      </Card>
    </>
  );
}
