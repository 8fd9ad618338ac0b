import type { LoginRequest } from '@namehold/epp';
import type { LoginResult, ServerSession } from '@namehold/epp/server';
import type { Database } from '@namehold/postgres';
import { registryTenant } from '../registry/registry.ts';
import { sandboxLimits } from '../tlds/index.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { changePassword, credentialsOf } from './registrar.sql.ts';

/** RFC 8807 4: with loginSec a password may be long, but not shorter than this. */
const minPasswordLength = 8;

const refused = (code: number, reason: string): LoginResult => ({
  kind: 'refused',
  response: { results: [{ code, extValues: [{ reason }] }] },
});

/** Requires id, password and the certificate of this client; two of the three are not enough. */
export function authenticator(db: Database, onPasswordChanged: (clientId: string, password: string) => void) {
  return async (login: LoginRequest, session: ServerSession): Promise<LoginResult> => {
    const row = await credentialsOf(db.as(registryTenant), login.clID);
    // One message for every cause, so that guessing gives no information.
    const no = refused(2200, 'client id, password or certificate is wrong');
    if (!row?.password_hash || row.certificate_sha256 === null) return no;
    if (!(await passwordMatches(row.password_hash, login.pw))) return no;
    if (session.peer.certificateSha256 !== row.certificate_sha256) return no;
    if (login.newPW !== undefined) {
      if (login.newPW.length < minPasswordLength || login.newPW === login.pw) {
        return refused(
          2306,
          `a new password has at least ${minPasswordLength} characters and differs from the old one`,
        );
      }
      const hash = await hashPassword(login.newPW);
      await changePassword(db.autocommit(registryTenant), login.clID, hash);
      onPasswordChanged(login.clID, login.newPW);
    }
    return { kind: 'accepted', maxSessions: sandboxLimits.sessionsPerClient };
  };
}
