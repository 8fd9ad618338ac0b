import type { UpstreamAccounts } from '../../core/ports/upstream-accounts.ts';
import type { NewRegistry } from '../../core/registries/connect.ts';
import { readProfileFile } from '../read-profile.ts';
import { upstreamServices } from './services.ts';
import { openTrial } from './trial.ts';

/** Known services, and tests of accounts there before their connection is stored. */
export const upstreamAccounts: UpstreamAccounts = {
  services: upstreamServices,
  readProfile: (json, id) => readProfileFile(json, id) as unknown as NewRegistry['profile'],
  openTrial,
};
