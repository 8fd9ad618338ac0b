import { useRoute } from 'preact-iso';
import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Light } from '../parts/light.tsx';
import { Moment, momentText, readMoment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import './domains.css';
import { Renew } from './renew.tsx';
import { Status } from './status.tsx';
import { Track } from './track.tsx';
import { words } from './words.ts';

type Domain = Shape<'DomainDetail'>;
type Timeline = Shape<'Timeline'>;

function Turn({ timeline }: { readonly timeline: Timeline }) {
  const w = words();
  const { who, by, sentence } = timeline.must_act;
  return (
    <div class={`note ${who === 'reseller' ? 'warn' : ''}`}>
      <div>
        <strong>
          {w.turn[who]}
          {by && `, ${w.until} ${momentText(readMoment(by))}`}
        </strong>
        <p>{sentence}</p>
      </div>
    </div>
  );
}

function FactsOf({ domain }: { readonly domain: Domain }) {
  const w = words();
  const flag = (isOn: boolean) => <Light kind={isOn ? 'good' : 'none'}>{isOn ? w.yes : w.no}</Light>;
  const rows = [
    [w.created, <Moment key="c" at={domain.creation_date ?? ''} />],
    [w.expires, <Moment key="e" at={domain.expiry_date ?? ''} />],
    [w.synced, <Moment key="s" at={domain.synced_at ?? ''} withTime />],
    [w.customer, domain.customer_name],
    [w.locked, flag(domain.locked)],
    [w.theft, flag(domain.theft_protection === 'true')],
    [w.privacy, flag(domain.privacy_protection_enabled === 'true')],
    [w.suspended, flag(domain.suspended)],
    [w.nameservers, <span key="n">{domain.nameservers.join(', ')}</span>],
  ] as const;
  return (
    <Card title={w.facts}>
      <Facts rows={rows} />
    </Card>
  );
}

/** What is possible now, and of the rest: why not, who set it, what helps. */
function Blocks({ timeline }: { readonly timeline: Timeline }) {
  const w = words();
  return (
    <Card title={w.actions}>
      <ul class="blocks">
        {timeline.blocks.map(({ action, allowed, reasons }) => (
          <li key={action}>
            <Light kind={allowed ? 'good' : 'none'}>{`${w.verbs[action]}: ${allowed ? w.possible : w.notNow}`}</Light>
            {!allowed &&
              reasons.map(({ because, set_by, fix }) => (
                <p key={because} class="faint">
                  {because.replaceAll('_', ' ')}
                  {fix && `, ${w.setBy[set_by]}`}
                  {fix && (
                    <>
                      . {w.fix}: <code>{fix}</code>
                    </>
                  )}
                </p>
              ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

export default function DomainPage() {
  const w = words();
  const { params } = useRoute();
  const name = params.name ?? '';
  const path = { domain_id: name };
  const domain = useResource('/domains/{domain_id}', { path });
  const timeline = useResource('/domains/{domain_id}/timeline', { path });
  const { query, go } = useAddress();
  const canRenew = timeline.data?.blocks.some(({ action, allowed }) => action === 'renew' && allowed) ?? false;
  const trouble = domain.trouble ?? timeline.trouble;
  const known = domain.data as Domain | undefined;
  return (
    <>
      <PageHead
        title={name}
        lead={known && <Status status={known.order_status} />}
        actions={
          <>
            {may('domains:write') && (
              <Button kind="primary" disabled={!canRenew} onClick={() => go({ do: 'renew' })}>
                {w.verbs.renew}
              </Button>
            )}
            {may('dns:read') && <ButtonLink href={`/app/domains/${name}/dns`}>DNS</ButtonLink>}
            <CopyCurl method="get" address={`/v1/domains/${name}/timeline`} />
          </>
        }
      />
      {trouble && (
        <TroubleNote
          trouble={trouble}
          onAgain={() => {
            domain.again();
            timeline.again();
          }}
        />
      )}
      {timeline.isLoading && <Waiting />}
      {timeline.data && (
        <>
          <Turn timeline={timeline.data} />
          <Card title={w.ahead}>
            <p class="faint">{w.aheadText}</p>
            <Track timeline={timeline.data} />
          </Card>
        </>
      )}
      <div class="columns">
        {known && <FactsOf domain={known} />}
        {timeline.data && <Blocks timeline={timeline.data} />}
      </div>
      {query.do === 'renew' && may('domains:write') && known && (
        <Renew
          name={known.domain_name}
          domainId={known.domain_id}
          expires={known.expiry_date ?? ''}
          onClose={() => go({ do: '' })}
        />
      )}
    </>
  );
}
