import type { ComponentChildren } from 'preact';
import type { Schema } from '../api/shapes.ts';
import { DomainName } from '../components/domain-name.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Tabs } from '../components/tabs.tsx';
import { isCustomer, may } from '../session/current-session.ts';
import { messages } from './messages.ts';

type Place = 'overview' | 'dns' | 'nameservers' | 'contacts' | 'forwarding' | 'log';

/** The tabs of a domain. Tabs without permission are hidden. */
export function DomainTabs({ name, at }: { readonly name: string; readonly at: Place }) {
  const t = messages();
  const needs: Record<Place, string> = {
    overview: 'domains:read',
    dns: 'dns:read',
    nameservers: 'domains:read',
    // Without write access the page would be empty for a customer.
    contacts: isCustomer() ? 'contacts:write' : 'contacts:read',
    forwarding: 'domains:read',
    log: 'domains:read',
  };
  const places = (Object.keys(needs) as Place[]).filter((place) => may(needs[place]));
  return (
    <Tabs
      label={name}
      tabs={places.map((place) => ({
        href: `/app/domains/${name}${place === 'overview' ? '' : `/${place}`}`,
        label: t.places[place],
        isCurrent: place === at,
      }))}
    />
  );
}

export function DomainHead({
  name,
  at,
  lead,
  actions,
}: {
  readonly name: string;
  readonly at: Place;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  const t = messages();
  return (
    <>
      <PageHead
        title={at === 'overview' ? name : `${t.places[at]}: ${name}`}
        heading={<DomainName name={name} />}
        lead={lead}
        actions={actions}
      />
      <DomainTabs name={name} at={at} />
    </>
  );
}

/** Above the forms that a locked domain refuses. */
export function LockedNote({ domain }: { readonly domain: Pick<Schema<'DomainDetail'>, 'locked'> }) {
  if (!domain.locked) return null;
  return (
    <p class="note warn" role="note">
      {messages().lockedNote}
    </p>
  );
}
