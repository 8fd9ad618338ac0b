import type { Logger } from 'pino';
import type { Credentials } from './data-folder.ts';

const edit = (name: string, type: string, ...records: readonly string[]) => ({ name, type, ttl: 3_600, records });

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const zone = (name: string, comment: string, ...rrsets: readonly object[]): Step => ({
  method: 'PATCH',
  path: `/domains/${name}/zone/rrsets`,
  body: { rrsets, comment },
});

/** Events of the demo domains after their creation, made by HTTP calls. */
const steps: readonly Step[] = [
  zone(
    'santoso-coffee.com',
    'The shop moves in',
    edit('@', 'A', '192.0.2.80'),
    edit('@', 'AAAA', '2001:db8::80'),
    edit('www', 'CNAME', 'santoso-coffee.com.'),
    edit('@', 'MX', '10 mail.santoso-coffee.com.'),
    edit('mail', 'A', '192.0.2.25'),
  ),
  zone(
    'santoso-coffee.com',
    'Mail is signed and checked',
    edit('@', 'TXT', '"v=spf1 mx -all"'),
    edit('_dmarc', 'TXT', '"v=DMARC1; p=quarantine; rua=mailto:postmaster@santoso-coffee.com"'),
    edit('@', 'CAA', '0 issue "letsencrypt.org"'),
  ),
  zone('santoso-coffee.com', 'New machine for the shop', edit('@', 'A', '192.0.2.81'), edit('blog', 'A', '192.0.2.82')),
  { method: 'PUT', path: '/domains/santoso-coffee.com/renewal_mode', body: { renewal_mode: 'renew' } },
  { method: 'PUT', path: '/domains/santoso-coffee.com/locked', body: { reason: 'requested by the owner' } },
  zone('santoso-roastery.com', 'First records', edit('@', 'A', '192.0.2.90'), edit('www', 'A', '192.0.2.90')),
  {
    method: 'PUT',
    path: '/domains/kaffee-büro.com/forwarding',
    body: { rules: [{ host: '@', target: 'https://santoso-coffee.com/', code: 301, path_mode: 'append' }] },
    headers: { 'If-Match': '*' },
  },
  {
    method: 'POST',
    path: '/domains/kaffee-büro.com/email_forwarding',
    body: { email: 'info@xn--kaffee-bro-heb.com', forward_to: ['budi@customer.example'] },
  },
  { method: 'PUT', path: '/domains/unpaid-cafe.com/suspended', body: { reason: 'the invoice is not paid' } },
  { method: 'DELETE', path: '/domains/closed-cafe.net' },
  { method: 'DELETE', path: '/domains/leaving-cafe.net/theft_protection' },
];

/** Creates activity for the demo domains after the start. Failures are logged; nothing waits for it. */
export async function runDemoActivity({ base_url, reseller_id, api_key }: Credentials, log: Logger): Promise<void> {
  const Authorization = `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`;
  const send = async ({ method, path, body, headers = {} }: Step): Promise<string> => {
    const response = await fetch(encodeURI(`${base_url}/v1${path}`), {
      method,
      headers: { Authorization, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) log.warn({ method, path, status: response.status, text }, 'demo activity of a domain failed');
    return text;
  };
  for (const step of steps) await send(step);
  const auth_code = JSON.parse(await send({ method: 'GET', path: '/domains/leaving-cafe.net/auth_code' })) as unknown;
  const wanted = { domain_name: 'leaving-cafe.net', action: 'request', auth_code };
  await send({ method: 'POST', path: '/sandbox/transfers', body: wanted });
}
