import type { Shape } from '../api/shapes.ts';
import { useResource } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Light } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { AnswerTimes } from '../series/waits.tsx';
import './operator.css';
import { words } from './words.ts';

type Registry = Shape<'RegistryStanding'>;

function Reach({ of }: { readonly of: Registry }) {
  const w = words();
  if (!of.is_active) return <Light kind="none">{w.inactive}</Light>;
  if (of.login_refused)
    return (
      <>
        <Light kind="bad">{w.loginRefused(of.login_refused.code)}</Light>{' '}
        <span class="faint">
          {w.until} <Moment at={of.login_refused.until} withTime />
        </span>
      </>
    );
  return <Light kind={of.is_reachable ? 'good' : 'bad'}>{of.is_reachable ? w.reached : w.unreached}</Light>;
}

function Standing({ of }: { readonly of: Registry }) {
  const w = words();
  return (
    <Card title={of.registry_id} actions={<Reach of={of} />}>
      <Facts
        rows={[
          [w.tlds, of.tlds.map((tld) => `.${tld}`).join(' ')],
          [w.address, <code key="a">{`${of.host}:${of.port}`}</code>],
          [w.account, <code key="c">{of.client_id}</code>],
          [w.sessions, w.ofMost(of.sessions.open, of.sessions.most)],
          [w.unknown, of.unknown_operations],
          [w.messages, of.messages_open],
          [w.lastMessage, <Moment key="m" at={of.last_message_at ?? ''} withTime />],
          [w.balance, of.balance ? <Money key="b" {...of.balance} /> : '–'],
          [w.certificate, <Moment key="e" at={of.certificate_expires_at ?? ''} />],
          [w.password, <Moment key="p" at={of.password_expires_at ?? ''} />],
        ]}
      />
      <p class="faint">
        {w.testBy} <CopyText text={`namehold registry test ${of.registry_id}`} />
      </p>
    </Card>
  );
}

export default function Registries() {
  const w = words();
  const list = useResource('/operator/registries', {}, { everyMs: 10_000 });
  const registries = list.data?.registries;
  return (
    <>
      <PageHead
        title={w.registries}
        lead={w.registriesLead}
        actions={<CopyCurl method="get" address="/v1/operator/registries" />}
      />
      {list.trouble && <TroubleNote trouble={list.trouble} onAgain={list.again} />}
      {!registries && !list.trouble && <Waiting />}
      {registries?.length === 0 && <Empty title={w.noRegistries}>{w.noRegistriesText}</Empty>}
      <div class="columns">
        {registries?.map((each) => (
          <Standing key={each.registry_id} of={each} />
        ))}
      </div>
      {registries && registries.length > 0 && (
        <AnswerTimes registries={registries.map(({ registry_id }) => registry_id)} />
      )}
    </>
  );
}
