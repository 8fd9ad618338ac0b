import { EppInputError } from '../errors.ts';
import type { Namespaces } from '../profile.ts';
import type { XmlElement } from '../xml/tree.ts';

/** One object and verb: the request and its answer data, written and read. */
export type VerbCodec<Request, Data = never> = {
  /** The specification that this file follows. */
  readonly rfc: string;
  writeRequest(request: Request, ns: Namespaces): XmlElement;
  readRequest(el: XmlElement, ns: Namespaces): Request;
  readonly answer?: DataCodec<Data>;
};

/** resData of one kind. */
export type DataCodec<Data> = {
  write(data: Data, ns: Namespaces): XmlElement;
  read(el: XmlElement, ns: Namespaces): Data;
};

/** The URI of a part. A part without a URI in the profile cannot be sent. */
export function uri(ns: Namespaces, part: keyof Namespaces): string {
  const found = ns[part];
  if (found === undefined) throw new EppInputError(part, 'not served by this registry');
  return found;
}
