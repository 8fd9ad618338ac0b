import type { UpstreamService } from '../../core/ports/upstream-accounts.ts';

const logicBoxes = {
  title: 'LogicBoxes',
  host: 'httpapi.com',
  testHost: 'test.httpapi.com',
  login: { id: 'reseller id', secret: 'API key', customer: 'customer id of your company there' },
  account:
    'In the panel, open the API settings. Compare the reseller id and the key, and allow the address of this service.',
  profile: { dialect: 'logicboxes', logicboxes: { checkHost: 'domaincheck.httpapi.com' } },
  testProfile: { dialect: 'logicboxes' },
} satisfies UpstreamService;

/** Services that `registry add --upstream` knows. Brands of LogicBoxes have the same API at the same host. */
export const upstreamServices: Readonly<Record<string, UpstreamService>> = {
  logicboxes: logicBoxes,
  resellerclub: { ...logicBoxes, title: 'ResellerClub' },
  netearthone: { ...logicBoxes, title: 'NetEarthOne' },
  'resell.biz': { ...logicBoxes, title: 'Resell.biz' },
  'reseller.id': { ...logicBoxes, title: 'Reseller.id' },
  openprovider: {
    title: 'Openprovider',
    host: 'api.openprovider.eu',
    login: { id: 'user name', secret: 'password' },
    account:
      'In the control panel, compare the user name and the password, and allow the address of this service for this contact.',
    profile: { dialect: 'openprovider' },
  },
  opensrs: {
    title: 'OpenSRS',
    host: 'rr-n1-tor.opensrs.net',
    testHost: 'horizon.opensrs.net',
    port: 55_443,
    login: { id: 'reseller username', secret: 'API key' },
    listsTlds: false,
    account: 'In the control panel, compare the username and the key, and add the address of this service.',
    profile: { dialect: 'opensrs' },
  },
  realtimeregister: {
    title: 'Realtime Register',
    host: 'api.yoursrs.com',
    testHost: 'api.yoursrs-ote.com',
    login: { id: 'customer handle', secret: 'API key' },
    account: 'In the portal, compare the customer handle and the key, and the addresses that the key allows.',
    profile: { dialect: 'realtimeregister' },
  },
  namehold: {
    title: 'Namehold',
    login: { id: 'account ID', secret: 'API key', customer: 'customer id of your company there' },
    account: 'Compare the account ID and the key, and the addresses and scopes of the key.',
    profile: { dialect: 'namehold' },
  },
};
