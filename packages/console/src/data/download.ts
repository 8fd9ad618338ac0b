import { ownHeaders } from '../api/call.ts';
import { asTrouble, Trouble } from '../api/trouble.ts';

/** A file of the service, kept by the browser: a plain link would come without the header that a session needs. */
export async function download(address: string, name: string): Promise<void> {
  const response = await fetch(address, { headers: { ...ownHeaders, Accept: '*/*' } }).catch((error: unknown) => {
    throw asTrouble(error);
  });
  if (!response.ok) throw new Trouble(response.status, await response.json().catch(() => ({})), response.headers);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
