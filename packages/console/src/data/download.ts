import { ownHeaders } from '../api/call.ts';
import { ApiError } from '../api/error.ts';

/** Downloads a file. A plain link would lack the header that the session requires. */
export async function download(address: string, name: string): Promise<void> {
  const response = await fetch(address, { headers: { ...ownHeaders, Accept: '*/*' } }).catch(() => {
    throw new ApiError(0, { code: 'offline' });
  });
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})), response.headers);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
