import type { Schema } from '../api/shapes.ts';
import { ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge, StatusIcon } from '../components/status-icon.tsx';
import { useResource } from '../data/resource.ts';
import { ResponseTimes } from '../reports/response-times.tsx';
import { may } from '../session/current-session.ts';
import { describeAlarm } from './describe-alarm.ts';
import './operator.css';
import { messages } from './messages.ts';

type Registry = Schema<'RegistryStatus'>;

/** Product names, which are the same in all languages. */
const dialects: Readonly<Record<string, string>> = {
  logicboxes: 'LogicBoxes',
  openprovider: 'Openprovider',
  opensrs: 'OpenSRS',
  realtimeregister: 'Realtime Register',
  namehold: 'Namehold',
};

function Reach({ of }: { readonly of: Registry }) {
  const t = messages();
  if (!of.is_active) return <StatusIcon kind="none">{t.inactive}</StatusIcon>;
  if (of.login_refused)
    return (
      <>
        <StatusIcon kind="bad">{t.loginRefused(of.login_refused.code)}</StatusIcon>{' '}
        <span class="faint">
          {t.until} <Moment at={of.login_refused.until} withTime />
        </span>
      </>
    );
  return (
    <StatusIcon kind={of.is_reachable ? 'good' : 'bad'}>{of.is_reachable ? t.connected : t.notResponding}</StatusIcon>
  );
}

function ConnectionStatus({ of }: { readonly of: Registry }) {
  const t = messages();
  return (
    <Card title={of.registry_id} actions={<Reach of={of} />}>
      <Facts
        rows={[
          [t.tlds, of.tlds.map((tld) => `.${tld}`).join(' ')],
          [t.protocol, of.dialect === null ? 'EPP' : (dialects[of.dialect] ?? of.dialect)],
          [t.lastRequest, <Moment key="r" at={of.last_request_at ?? ''} withTime />],
          [t.address, <code key="a">{`${of.host}:${of.port}`}</code>],
          [t.account, <code key="c">{of.client_id}</code>],
          [t.sessions, t.ofMost(of.sessions.open, of.sessions.most)],
          [t.unknown, of.unknown_operations],
          [t.messages, of.messages_open],
          [t.lastMessage, <Moment key="m" at={of.last_message_at ?? ''} withTime />],
          [t.balance, of.balance ? <Money key="b" {...of.balance} /> : '–'],
          [t.certificate, <Moment key="e" at={of.certificate_expires_at ?? ''} />],
          [t.password, <Moment key="p" at={of.password_expires_at ?? ''} />],
        ]}
      />
      {of.alarms.length > 0 && (
        <ul class="registry-alerts" aria-label={t.alarms}>
          {of.alarms.map((alarm) => (
            <li key={alarm.key}>
              <Badge tone={alarm.severity === 'critical' ? 'bad' : 'warn'}>{t.severity[alarm.severity]}</Badge>{' '}
              <a href="/app/operator/alarms">{describeAlarm(alarm)}</a>
            </li>
          ))}
        </ul>
      )}
      <p class="faint">
        {t.testBy} <CopyText text={`namehold registry test ${of.registry_id}`} />
      </p>
    </Card>
  );
}

export default function Registries() {
  const t = messages();
  const list = useResource('/operator/registries', {}, { everyMs: 10_000 });
  const registries = list.data?.registries;
  return (
    <>
      <PageHead
        title={t.registries}
        lead={t.registriesLead}
        actions={
          <>
            {may('full') && (
              <ButtonLink kind="primary" icon="plus" href="/app/operator/registries/add">
                {t.addUpstream}
              </ButtonLink>
            )}
            <CopyCurl method="get" address="/v1/operator/registries" />
          </>
        }
      />
      {list.error && <ErrorBanner error={list.error} onRetry={list.refetch} />}
      {!registries && !list.error && <Skeleton />}
      {registries?.length === 0 && <Empty title={t.noRegistries}>{t.noRegistriesText}</Empty>}
      <div class="columns">
        {registries?.map((each) => (
          <ConnectionStatus key={each.registry_id} of={each} />
        ))}
      </div>
      {registries && registries.length > 0 && (
        <ResponseTimes registries={registries.map(({ registry_id }) => registry_id)} />
      )}
    </>
  );
}
