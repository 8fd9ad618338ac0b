import type { Clock } from '@namehold/base';
import type { Dialect } from '../dialect.ts';
import type { UpstreamProfile } from '../profile.ts';
import { contractDialect } from './contract/dialect.ts';
import { logicBoxesDialect } from './logicboxes/dialect.ts';
import { nameholdDialect } from './namehold/dialect.ts';
import { openproviderDialect } from './openprovider/dialect.ts';
import { openSrsDialect } from './opensrs/dialect.ts';
import { realtimeRegisterDialect } from './realtimeregister/dialect.ts';

const dialects: Readonly<Record<UpstreamProfile['dialect'], (profile: UpstreamProfile, clock: Clock) => Dialect>> = {
  contract: contractDialect,
  logicboxes: logicBoxesDialect,
  namehold: nameholdDialect,
  openprovider: openproviderDialect,
  opensrs: openSrsDialect,
  realtimeregister: realtimeRegisterDialect,
};

/** `clock`: wall-clock time. */
export const dialectOf = (profile: UpstreamProfile, clock: Clock): Dialect => dialects[profile.dialect](profile, clock);
