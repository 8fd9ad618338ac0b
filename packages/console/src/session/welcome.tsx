import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { TextField } from '../parts/field.tsx';
import { Entrance } from './entrance.tsx';
import { enter } from './session.ts';
import { WayIn } from './way-in.tsx';
import { words } from './words.ts';

/** The code stands in the fragment, which no log has, and leaves the address at once. */
function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  if (code) history.replaceState(null, '', '/app/welcome');
  return code;
}

export default function Welcome() {
  const w = words();
  const { route } = useLocation();
  const [code] = useState(takeCode);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const open = () => {
    const body = { code, password, ...(name.trim() ? { name: name.trim() } : {}) };
    return call('post', '/session/code', { body }, { isSignIn: true });
  };
  const onSession = (session: Shape<'Session'>) => {
    route('/app', true);
    enter(session);
  };
  return (
    <Entrance title={w.welcome} lead={code ? w.welcomeLead : w.noCode}>
      {code && (
        <WayIn
          labels={{ name: w.name, password: w.newPassword }}
          verb={w.enter}
          refused={w.codeDead}
          open={open}
          onSession={onSession}
        >
          <TextField
            name="name"
            autoComplete="name"
            label={w.name}
            hint={w.nameHint}
            isOptional
            value={name}
            onText={setName}
          />
          <TextField
            name="password"
            type="password"
            autoComplete="new-password"
            label={w.newPassword}
            hint={w.newPasswordHint}
            value={password}
            onText={setPassword}
          />
        </WayIn>
      )}
    </Entrance>
  );
}
