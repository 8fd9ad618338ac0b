import { readFileSync } from 'node:fs';

export interface ContractParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'form';
  readonly type: string;
  readonly required: boolean;
  readonly values?: readonly (string | number)[];
}

export interface ContractEndpoint {
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly params: readonly ContractParameter[];
  /** A path that only old clients still send. */
  readonly legacy?: boolean;
}

/** The published interface, as data. */
export const contractTable = JSON.parse(
  readFileSync(new URL('./table.json', import.meta.url), 'utf8'),
) as readonly ContractEndpoint[];

export const endpointName = (endpoint: { method: string; path: string }) => `${endpoint.method} ${endpoint.path}`;
