import type { ComponentChildren } from 'preact';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { isCustomer, may } from '../session/who.ts';
import { words } from './words.ts';

type Place = 'overview' | 'dns' | 'nameservers' | 'contacts' | 'forwarding' | 'log';

/** The places of one name; what a role may not look at is absent. */
export function NameTabs({ name, at }: { readonly name: string; readonly at: Place }) {
  const w = words();
  const needs: Record<Place, string> = {
    overview: 'domains:read',
    dns: 'dns:read',
    nameservers: 'domains:read',
    // There is nothing to look at in it but the choice.
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
        label: w.places[place],
        isCurrent: place === at,
      }))}
    />
  );
}

export function NameHead({
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
  const w = words();
  return (
    <>
      <PageHead
        title={at === 'overview' ? name : `${w.places[at]}: ${name}`}
        shown={<NameText name={name} />}
        lead={lead}
        actions={actions}
      />
      <NameTabs name={name} at={at} />
    </>
  );
}
