import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { businessNow, tellBusinessTime } from '../data/clock.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { momentText, readMoment } from '../parts/moment.tsx';
import { isCustomer, may, who } from '../session/who.ts';
import { canMove, isMoving, pushClock, pushClockTo, steps } from './clock.ts';
import './sandbox.css';
import { words } from './words.ts';

/** To the next date of the name that is looked at. */
function NextMilestone({ name }: { readonly name: string }) {
  const w = words();
  const { data } = useResource('/domains/{domain_id}/timeline', { path: { domain_id: name } });
  const from = businessNow().getTime();
  const next = data?.milestones.map(({ at }) => readMoment(at)).find((at) => at.getTime() > from);
  if (!next) return null;
  return (
    <Button small disabled={isMoving.value} onClick={() => void pushClockTo(next)}>
      {w.nextMilestone(momentText(next))}
    </Button>
  );
}

function Moves() {
  const w = words();
  const { path } = useLocation();
  const name = /^\/app\/domains\/([^/]+\.[^/]+)/.exec(path)?.[1];
  return (
    <span class="sandbox-moves">
      {steps.map((by) => (
        <Button
          key={by}
          small
          disabled={isMoving.value}
          aria-label={w.moveBy(by)}
          title={w.moveBy(by)}
          onClick={() => void pushClock(by)}
        >
          {by}
        </Button>
      ))}
      {name && <NextMilestone name={decodeURIComponent(name)} />}
    </span>
  );
}

function Bar() {
  const w = words();
  const isTold = may('domains:read') && !isCustomer();
  const sandbox = useResource('/sandbox', isTold ? {} : undefined, { everyMs: 15_000 });
  const said = sandbox.data?.now;
  useEffect(() => {
    if (said) tellBusinessTime(said);
  }, [said]);
  const faults = sandbox.data?.faults.length ?? 0;
  return (
    <aside class="sandbox-bar" aria-label={w.sandbox}>
      <strong>{w.mark}</strong>
      <time dateTime={businessNow().toISOString()}>{momentText(businessNow(), true)}</time>
      {canMove() && <Moves />}
      {isTold && <a href="/app/sandbox">{faults === 0 ? w.noFaults : w.faultsOn(faults)}</a>}
    </aside>
  );
}

/** An amber frame around every page, and words: what is done here is practice. */
export default function SandboxFrame() {
  const isHere = who.value?.is_sandbox === true;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-sandbox', isHere);
    return () => document.documentElement.removeAttribute('data-sandbox');
  }, [isHere]);
  return isHere ? <Bar /> : null;
}
