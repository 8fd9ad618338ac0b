import type { ConsoleLink } from './console-link.ts';
import type { Credentials } from './data-folder.ts';

/** The text that a new user sees after the start. */
export function welcome(
  credentials: Credentials,
  link: ConsoleLink,
  isFirstStart: boolean,
  credentialsFile: string,
): string {
  const { base_url, reseller_id, api_key, registry, dns, edge, smtp } = credentials;
  return [
    '',
    `  Namehold is running at ${base_url}`,
    '',
    `  console       ${link.url}`,
    ...(link.invited ? [`                (valid once, for 24 hours: choose a password for ${link.invited})`] : []),
    `  API explorer  ${base_url}/swagger`,
    `  account ID    ${reseller_id} (reseller_id)`,
    `  API key       ${api_key}`,
    ...(registry ? [`  registry      ${registry.host}:${registry.port} (EPP over TLS, a sandbox)`] : []),
    ...(dns ? [`  nameserver    ${dns.host}:${dns.port}`] : []),
    ...(edge ? [`  edge          ${edge.host}:${edge.port} (web requests for forwarded domains)`] : []),
    ...(smtp ? [`  mail          ${smtp.host}:${smtp.port} (SMTP for forwarded domains)`] : []),
    `  credentials   ${credentialsFile}`,
    '',
    '  Try it:',
    `  curl -u ${reseller_id}:${api_key} ${base_url}/v1/account/profile`,
    '',
    ...(isFirstStart
      ? ['  This was the first start. It created an operator, a demo reseller with money, a customer and contacts.', '']
      : []),
  ].join('\n');
}
