import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../components/button.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import { businessNow, setBusinessTime } from '../data/clock.ts';
import { useResource } from '../data/resource.ts';
import { currentSession, isCustomer, may } from '../session/current-session.ts';
import { canMove, isMoving, pushClock, pushClockTo, steps } from './clock.ts';
import './sandbox.css';
import { messages } from './messages.ts';

/** Moves the clock to the next date of the current domain. */
function NextMilestone({ name }: { readonly name: string }) {
  const t = messages();
  const { data } = useResource('/domains/{domain_id}/timeline', { path: { domain_id: name } });
  const from = businessNow().getTime();
  const next = data?.milestones.map(({ at }) => readMoment(at)).find((at) => at.getTime() > from);
  if (!next) return null;
  return (
    <Button small disabled={isMoving.value} onClick={() => void pushClockTo(next)}>
      {t.nextMilestone(momentText(next))}
    </Button>
  );
}

function ClockButtons() {
  const t = messages();
  const { path } = useLocation();
  const name = /^\/app\/domains\/([^/]+\.[^/]+)/.exec(path)?.[1];
  return (
    <span class="sandbox-moves">
      <span>{t.moveClock}</span>
      {steps.map((by) => (
        <Button
          key={by}
          small
          disabled={isMoving.value}
          aria-label={t.moveBy(t.days(Number.parseInt(by, 10)))}
          title={t.moveBy(t.days(Number.parseInt(by, 10)))}
          onClick={() => void pushClock(by)}
        >
          {t.days(Number.parseInt(by, 10))}
        </Button>
      ))}
      {name && <NextMilestone name={decodeURIComponent(name)} />}
    </span>
  );
}

function SandboxBar() {
  const t = messages();
  const isNotified = may('domains:read') && !isCustomer();
  const sandbox = useResource('/sandbox', isNotified ? {} : undefined, { everyMs: 15_000 });
  const businessTime = sandbox.data?.now;
  useEffect(() => {
    if (businessTime) setBusinessTime(businessTime);
  }, [businessTime]);
  const faults = sandbox.data?.faults.length ?? 0;
  return (
    <aside class="sandbox-bar" aria-label={t.sandbox}>
      <strong>{t.mark}</strong>
      <time dateTime={businessNow().toISOString()}>{momentText(businessNow(), true)}</time>
      {canMove() && <ClockButtons />}
      {isNotified && <a href="/app/sandbox">{faults === 0 ? t.noFaults : t.faultsOn(faults)}</a>}
    </aside>
  );
}

/** A frame and a bar that mark every page as sandbox. */
export default function SandboxFrame() {
  const isHere = currentSession.value?.is_sandbox === true;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-sandbox', isHere);
    return () => document.documentElement.removeAttribute('data-sandbox');
  }, [isHere]);
  return isHere ? <SandboxBar /> : null;
}
