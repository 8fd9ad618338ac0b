import { ALL_NAMESPACES, type ResponseSpec, writeCommand, writeGreetingFrame, writeResponse } from '@namehold/epp';

export const namespaces = ALL_NAMESPACES;

export const request = { object: 'domain', verb: 'info', name: 'example.com' } as const;
export const answer: ResponseSpec = {
  results: [{ code: 1000 }],
  data: {
    object: 'domain',
    type: 'infData',
    name: 'example.com',
    roid: 'EXAMPLE1-REP',
    statuses: [{ value: 'ok' }],
    registrant: 'jd1234',
    contacts: [
      { type: 'admin', id: 'sh8013' },
      { type: 'tech', id: 'sh8013' },
    ],
    ns: { model: 'objects', hosts: ['ns1.example.com', 'ns2.example.net'] },
    hosts: ['ns1.example.com'],
    clID: 'ClientX',
    crID: 'ClientX',
    crDate: new Date('2026-01-01T00:00:00Z'),
    exDate: new Date('2027-01-01T00:00:00Z'),
  },
};

const clTRID = 'NH-00000000-0000-0000-0000-000000000000';
const svTRID = 'SV-00000000-0000-0000-0000-000000000000';

export const requestXml = writeCommand(request, clTRID, namespaces);
export const answerXml = writeResponse(answer, { clTRID, svTRID }, namespaces);

export const greetingXml = writeGreetingFrame(
  {
    svID: 'Bench',
    svDate: new Date('2026-01-01T00:00:00Z'),
    versions: ['1.0'],
    langs: ['en'],
    objURIs: [namespaces.domain, namespaces.contact, namespaces.host],
    extURIs: [],
  },
  namespaces,
);

/** A prepared answer without the id of the client's command. */
export function readyAnswer(spec: ResponseSpec): (id: string) => string {
  const [before = '', after = ''] = writeResponse(spec, { clTRID: '0000', svTRID }, namespaces).split('0000</clTRID>');
  return (id) => `${before}${id}</clTRID>${after}`;
}
