import type { Fleet } from '../../test/nameservers/support/fleet.ts';

export async function putFile(fleet: Fleet, domainId: string, file: string, query = ''): Promise<void> {
  const { base_url, reseller_id, api_key } = fleet.lab.service.credentials;
  const response = await fetch(`${base_url}/v1/domains/${domainId}/zone/file${query}`, {
    method: 'PUT',
    headers: {
      Authorization: `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`,
      'Content-Type': 'text/dns',
      'If-Match': '*',
    },
    body: file,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.text();
}
