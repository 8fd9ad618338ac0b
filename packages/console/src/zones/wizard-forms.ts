import {
  caaText,
  dmarcText,
  httpsText,
  maxSpfLookups,
  mxText,
  readDkim,
  spfLookups,
  spfText,
  srvOwner,
  srvText,
  tlsaOwner,
  tlsaText,
} from './record-text.ts';

export type WizardKind = 'spf' | 'dkim' | 'dmarc' | 'mx' | 'srv' | 'caa' | 'tlsa' | 'https';

export interface WizardField {
  readonly key: string;
  readonly kind: 'text' | 'lines' | 'tick' | 'choice';
  readonly initial: string;
  readonly choices?: readonly string[];
}

/** The record that a form produces. */
export interface Written {
  /** Relative to the zone. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** Records that the new one replaces. */
  readonly instead?: RegExp;
  /** Values calculated from the input. */
  readonly lookups?: number;
  readonly bits?: number;
}

type Values = Readonly<Record<string, string>>;

interface WizardForm {
  readonly fields: readonly WizardField[];
  /** Undefined while input is missing. */
  readonly write: (values: Values) => Written | undefined;
}

const text = (key: string, initial = ''): WizardField => ({ key, kind: 'text', initial });
const lines = (key: string): WizardField => ({ key, kind: 'lines', initial: '' });
const tick = (key: string, isOn: boolean): WizardField => ({ key, kind: 'tick', initial: isOn ? 'yes' : '' });
const choice = (key: string, ...choices: readonly string[]): WizardField => ({
  key,
  kind: 'choice',
  initial: choices[0] ?? '',
  choices,
});

const several = (typed: string | undefined): string[] => (typed ?? '').split(/[\s,;]+/).filter((each) => each !== '');
const number = (typed: string | undefined): number => Number((typed ?? '').trim());
const whole = (...typed: readonly (string | undefined)[]) =>
  typed.every((each) => /^\d{1,5}$/.test((each ?? '').trim()));

export const wizardForms: Readonly<Record<WizardKind, WizardForm>> = {
  spf: {
    fields: [
      text('name', '@'),
      tick('mx', true),
      tick('a', false),
      lines('includes'),
      lines('addresses'),
      choice('end', '-all', '~all', '?all'),
    ],
    write({ name = '@', mx, a, includes, addresses, end }) {
      const written = spfText({
        includes: several(includes),
        addresses: several(addresses),
        usesMx: mx === 'yes',
        usesA: a === 'yes',
        end: end as '-all',
      });
      return { name, type: 'TXT', text: written, instead: /^"?v=spf1\b/i, lookups: spfLookups(written) };
    },
  },
  dkim: {
    fields: [text('selector'), lines('key')],
    write({ selector = '', key = '' }) {
      const read = readDkim(key);
      if (!read || selector.trim() === '') return undefined;
      const name = selector.trim().replace(/\._domainkey.*$/, '');
      return { name: `${name}._domainkey`, type: 'TXT', text: read.text, instead: /^"?v=DKIM1\b/i, bits: read.bits };
    },
  },
  dmarc: {
    fields: [choice('policy', 'none', 'quarantine', 'reject'), text('reports'), text('percent', '100')],
    write({ policy, reports = '', percent }) {
      if (!whole(percent)) return undefined;
      const written = dmarcText({ policy: policy as 'none', reports, percent: number(percent) });
      return { name: '_dmarc', type: 'TXT', text: written, instead: /^"?v=DMARC1\b/i };
    },
  },
  mx: {
    fields: [text('name', '@'), text('priority', '10'), text('host')],
    write: ({ name = '@', priority, host = '' }) =>
      host.trim() === '' || !whole(priority)
        ? undefined
        : { name, type: 'MX', text: mxText(number(priority), host.trim()) },
  },
  srv: {
    fields: [
      text('service'),
      choice('protocol', 'tcp', 'udp', 'tls'),
      text('host'),
      text('port'),
      text('priority', '10'),
      text('weight', '0'),
    ],
    write({ service = '', protocol = 'tcp', host = '', port, priority, weight }) {
      if (service.trim() === '' || host.trim() === '' || !whole(port, priority, weight)) return undefined;
      const target = { priority: number(priority), weight: number(weight), port: number(port), target: host.trim() };
      return { name: srvOwner(service.trim(), protocol, '@'), type: 'SRV', text: srvText(target) };
    },
  },
  caa: {
    fields: [text('name', '@'), choice('tag', 'issue', 'issuewild', 'iodef'), text('value')],
    write: ({ name = '@', tag, value = '' }) =>
      value.trim() === '' ? undefined : { name, type: 'CAA', text: caaText(tag as 'issue', value.trim()) },
  },
  tlsa: {
    fields: [
      text('port', '443'),
      choice('protocol', 'tcp', 'udp'),
      text('name', '@'),
      choice('usage', '3', '2', '1', '0'),
      choice('selector', '1', '0'),
      choice('matching', '1', '2', '0'),
      lines('digest'),
    ],
    write({ port, protocol = 'tcp', name = '@', usage, selector, matching, digest = '' }) {
      if (digest.trim() === '' || !whole(port)) return undefined;
      const written = tlsaText(number(usage), number(selector), number(matching), digest);
      return { name: tlsaOwner(number(port), protocol, name), type: 'TLSA', text: written };
    },
  },
  https: {
    fields: [text('name', '@'), text('priority', '1'), text('host', '.'), text('alpn', 'h2,h3')],
    write: ({ name = '@', priority, host = '.', alpn }) =>
      whole(priority)
        ? { name, type: 'HTTPS', text: httpsText(number(priority), host.trim(), several(alpn)) }
        : undefined,
  },
};

export const isTooMany = (written: Written): boolean => (written.lookups ?? 0) > maxSpfLookups;
