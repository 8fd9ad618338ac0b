import type { Dialect } from '../dialect.ts';
import type { UpstreamProfile } from '../profile.ts';
import { contractDialect } from './contract/dialect.ts';
import { logicBoxesDialect } from './logicboxes/dialect.ts';
import { nameholdDialect } from './namehold/dialect.ts';
import { openSrsDialect } from './opensrs/dialect.ts';
import { realtimeRegisterDialect } from './realtimeregister/dialect.ts';

const dialects: Readonly<Record<UpstreamProfile['dialect'], (profile: UpstreamProfile) => Dialect>> = {
  contract: contractDialect,
  logicboxes: logicBoxesDialect,
  namehold: nameholdDialect,
  opensrs: openSrsDialect,
  realtimeregister: realtimeRegisterDialect,
};

export const dialectOf = (profile: UpstreamProfile): Dialect => dialects[profile.dialect](profile);
