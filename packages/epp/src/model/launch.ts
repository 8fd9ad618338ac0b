import type { XmlElement } from '../xml/tree.ts';
import type { Status } from './common.ts';

/** RFC 8334 2.3: sunrise, landrush, claims, open, or a custom one by its name. */
export type LaunchPhase = { readonly phase: string; readonly name?: string };
/** RFC 8334 3.1: whether there are marks for a name, or whether it is free within a phase. */
export type LaunchCheck = { readonly type?: 'claims' | 'avail' | 'trademark'; readonly phase?: LaunchPhase };
export type LaunchInfo = {
  readonly phase: LaunchPhase;
  readonly applicationId?: string;
  readonly includeMark?: boolean;
};
/** RFC 8334 3.3.2: that the holder was shown the claims notice, and when. */
export type ClaimsNotice = {
  readonly noticeId: string;
  readonly validatorId?: string;
  readonly notAfter: Date;
  readonly acceptedAt: Date;
};
export type LaunchCode = { readonly code: string; readonly validatorId?: string };
/** RFC 8334 2.6.1: a mark's code, or the mark itself as the mark-1.0 schema has it. */
export type CodeMark = { readonly code?: LaunchCode; readonly mark?: XmlElement };
export type LaunchCreate = {
  readonly type?: 'application' | 'registration';
  readonly phase: LaunchPhase;
  readonly codeMarks?: readonly CodeMark[];
  /** Signed marks in base64, as they stand in an SMD file. In XML of its own a mark would lose its signature when it is written anew. */
  readonly encodedSignedMarks?: readonly string[];
  readonly notices?: readonly ClaimsNotice[];
};
/** RFC 8334 3.4, 3.5: which application an update or a delete is about. */
export type LaunchApplication = { readonly phase: LaunchPhase; readonly applicationId: string };

export type LaunchCheckItem = {
  readonly name: string;
  /** There are marks: their notices come from the trademark database under these keys. */
  readonly exists: boolean;
  readonly claimKeys: readonly { readonly key: string; readonly validatorId?: string }[];
};
export type LaunchCheckAnswer = { readonly phase?: LaunchPhase; readonly items: readonly LaunchCheckItem[] };
/** What an info or a create tells of an application. */
export type LaunchAnswer = {
  readonly phase: LaunchPhase;
  readonly applicationId?: string;
  readonly status?: Status & { readonly name?: string };
  readonly marks?: readonly XmlElement[];
};
