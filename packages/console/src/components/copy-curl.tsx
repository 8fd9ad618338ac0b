import { asCurl } from '../api/call.ts';
import type { Method } from '../api/shapes.ts';
import { messages } from '../messages/common.ts';
import { currentSession } from '../session/current-session.ts';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

/** Copies the call as a curl command. `address` begins with /v1. */
export function CopyCurl({
  method,
  address,
  body,
}: {
  readonly method: Method;
  readonly address: string;
  readonly body?: unknown;
}) {
  const t = messages();
  // Customers have no API keys.
  if (currentSession.value?.customer) return null;
  const copy = () => navigator.clipboard.writeText(asCurl(method, address, body)).then(() => toast(t.copied));
  return (
    <Button kind="quiet" small icon="copy" title={t.curlHint} onClick={() => void copy()}>
      {t.copyCurl}
    </Button>
  );
}
