import { asCurl } from '../api/call.ts';
import type { Method } from '../api/shapes.ts';
import { who } from '../session/who.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

/** The same as a program does it: `address` begins with /v1. */
export function CopyCurl({
  method,
  address,
  body,
}: {
  readonly method: Method;
  readonly address: string;
  readonly body?: unknown;
}) {
  const w = words();
  // Customers have no keys.
  if (who.value?.customer) return null;
  const copy = () => navigator.clipboard.writeText(asCurl(method, address, body)).then(() => toast(w.copied));
  return (
    <Button kind="quiet" small icon="copy" title={w.curlHint} onClick={() => void copy()}>
      {w.copyCurl}
    </Button>
  );
}
