import type { TemplateRRset, Variable, ZoneTemplate } from './template.ts';

const mx = (...records: string[]): TemplateRRset => ({ name: '@', type: 'MX', records });
const txt = (name: string, text: string): TemplateRRset => ({ name, type: 'TXT', records: [`"${text}"`] });
const cname = (name: string, target: string): TemplateRRset => ({ name, type: 'CNAME', records: [target] });
const address = (...records: string[]): TemplateRRset => ({ name: '@', type: 'A', records });
const variable = (name: string, kind: Variable['kind'], about: string): Variable => ({ name, kind, about });

/** RFC 7505, RFC 7208 10.1.2, RFC 7489: the domain neither sends nor receives mail, and forged mail is rejected. */
const noMail: readonly TemplateRRset[] = [
  mx('0 .'),
  txt('@', 'v=spf1 -all'),
  txt('_dmarc', 'v=DMARC1; p=reject; adkim=s; aspf=s'),
  txt('*._domainkey', 'v=DKIM1; p='),
];

const builtIn = (
  id: string,
  name: string,
  description: string,
  source: string,
  rrsets: readonly TemplateRRset[],
  variables: readonly Variable[] = [],
): ZoneTemplate => ({
  id,
  name,
  description,
  source,
  rrsets,
  variables,
  version: 1,
  whose: 'built_in',
  isShared: false,
  rrsetCount: rrsets.length,
  updatedAt: null,
});

/** Records that the providers publish, each with the page that documents them. As of November 2026. */
export const builtInTemplates: readonly ZoneTemplate[] = [
  builtIn(
    'no-mail',
    'No mail',
    'The domain neither sends nor receives mail, and forged mail in its name is rejected.',
    'https://www.rfc-editor.org/rfc/rfc7505',
    noMail,
  ),
  builtIn(
    'parked',
    'Parked',
    'One page at an address of yours, for the domain and www; no mail.',
    'https://www.rfc-editor.org/rfc/rfc7505',
    [address('{ip}'), cname('www', '{domain}.'), ...noMail],
    [variable('ip', 'ipv4', 'IPv4 address of the page')],
  ),
  builtIn(
    'website',
    'Website at an address',
    'The domain and www lead to a server of yours.',
    'https://www.rfc-editor.org/rfc/rfc1035',
    [address('{ip}'), cname('www', '{domain}.')],
    [variable('ip', 'ipv4', 'IPv4 address of the server')],
  ),
  builtIn(
    'google-workspace',
    'Google Workspace',
    'Mail by Google. Add the DKIM key that the admin console shows.',
    'https://support.google.com/a/answer/174125',
    [mx('1 smtp.google.com.'), txt('@', 'v=spf1 include:_spf.google.com ~all')],
  ),
  builtIn(
    'microsoft-365',
    'Microsoft 365',
    'Mail by Microsoft. The admin center shows the mail host and the DKIM key.',
    'https://learn.microsoft.com/en-us/microsoft-365/enterprise/external-domain-name-system-records',
    [
      mx('0 {mail_host}.'),
      txt('@', 'v=spf1 include:spf.protection.outlook.com -all'),
      cname('autodiscover', 'autodiscover.outlook.com.'),
    ],
    [variable('mail_host', 'hostname', 'Mail host, such as example-com.mail.protection.outlook.com')],
  ),
  builtIn(
    'fastmail',
    'Fastmail',
    'Mail by Fastmail, with its DKIM keys.',
    'https://www.fastmail.help/hc/en-us/articles/360060591153',
    [
      mx('10 in1-smtp.messagingengine.com.', '20 in2-smtp.messagingengine.com.'),
      txt('@', 'v=spf1 include:spf.messagingengine.com ?all'),
      ...['fm1', 'fm2', 'fm3'].map((key) => cname(`${key}._domainkey`, `${key}.{domain}.dkim.fmhosted.com.`)),
    ],
  ),
  builtIn(
    'proton-mail',
    'Proton Mail',
    'Mail by Proton. Add the DKIM names that its settings show.',
    'https://proton.me/support/custom-domain',
    [
      mx('10 mail.protonmail.ch.', '20 mailsec.protonmail.ch.'),
      {
        name: '@',
        type: 'TXT',
        records: ['"protonmail-verification={verification}"', '"v=spf1 include:_spf.protonmail.ch ~all"'],
      },
    ],
    [variable('verification', 'word', 'Code behind protonmail-verification=')],
  ),
  builtIn(
    'icloud-mail',
    'iCloud Mail',
    'Mail by Apple for a domain of your own.',
    'https://support.apple.com/en-us/102374',
    [
      mx('10 mx01.mail.icloud.com.', '10 mx02.mail.icloud.com.'),
      {
        name: '@',
        type: 'TXT',
        records: ['"apple-domain={verification}"', '"v=spf1 include:icloud.com ~all"'],
      },
      cname('sig1._domainkey', 'sig1.dkim.{domain}.at.icloudmailadmin.com.'),
    ],
    [variable('verification', 'word', 'Code behind apple-domain=')],
  ),
  builtIn(
    'github-pages',
    'GitHub Pages',
    'A website by GitHub, for the domain and www.',
    'https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site/managing-a-custom-domain-for-your-github-pages-site',
    [
      address('185.199.108.153', '185.199.109.153', '185.199.110.153', '185.199.111.153'),
      {
        name: '@',
        type: 'AAAA',
        records: ['2606:50c0:8000::153', '2606:50c0:8001::153', '2606:50c0:8002::153', '2606:50c0:8003::153'],
      },
      cname('www', '{account}.github.io.'),
    ],
    [variable('account', 'label', 'Account or organisation at GitHub')],
  ),
  builtIn(
    'netlify',
    'Netlify',
    'A website by Netlify, for the domain and www.',
    'https://docs.netlify.com/domains-https/custom-domains/configure-external-dns/',
    [address('75.2.60.5'), cname('www', '{site}.netlify.app.')],
    [variable('site', 'label', 'Name of the site at Netlify')],
  ),
  builtIn(
    'vercel',
    'Vercel',
    'A website by Vercel, for the domain and www.',
    'https://vercel.com/docs/domains/working-with-domains/add-a-domain',
    [address('76.76.21.21'), cname('www', 'cname.vercel-dns.com.')],
  ),
  builtIn(
    'shopify',
    'Shopify',
    'A shop by Shopify, for the domain and www.',
    'https://help.shopify.com/en/manual/domains/add-a-domain/connecting-domains/connect-domain-manual',
    [address('23.227.38.65'), cname('www', 'shops.myshopify.com.')],
  ),
];

const byId = new Map(builtInTemplates.map((template) => [template.id, template]));

export const findBuiltIn = (id: string): ZoneTemplate | undefined => byId.get(id);
