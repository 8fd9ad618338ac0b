import type { XmlElement } from '../xml/tree.ts';
import type { Status } from './common.ts';

/** RFC 8334 2.3: sunrise, landrush, claims, open, or a custom phase by name. */
export type LaunchPhase = { readonly phase: string; readonly name?: string };
/** RFC 8334 3.1: whether marks exist for a name, or whether it is available within a phase. */
export type LaunchCheck = { readonly type?: 'claims' | 'avail' | 'trademark'; readonly phase?: LaunchPhase };
export type LaunchInfo = {
  readonly phase: LaunchPhase;
  readonly applicationId?: string;
  readonly includeMark?: boolean;
};
/** RFC 8334 3.3.2: proof that the registrant was shown the claims notice, and when. */
export type ClaimsNotice = {
  readonly noticeId: string;
  readonly validatorId?: string;
  readonly notAfter: Date;
  readonly acceptedAt: Date;
};
export type LaunchCode = { readonly code: string; readonly validatorId?: string };
/** RFC 8334 2.6.1: a mark's code, or the mark itself in the mark-1.0 schema. */
export type CodeMark = { readonly code?: LaunchCode; readonly mark?: XmlElement };
export type LaunchCreate = {
  readonly type?: 'application' | 'registration';
  readonly phase: LaunchPhase;
  readonly codeMarks?: readonly CodeMark[];
  /** Signed marks in base64, as in an SMD file. A mark rewritten as XML would lose its signature. */
  readonly encodedSignedMarks?: readonly string[];
  readonly notices?: readonly ClaimsNotice[];
};
/** RFC 8334 3.4, 3.5: the application of an update or a delete. */
export type LaunchApplication = { readonly phase: LaunchPhase; readonly applicationId: string };

export type LaunchCheckItem = {
  readonly name: string;
  /** Marks exist; the trademark database returns their notices for these keys. */
  readonly exists: boolean;
  readonly claimKeys: readonly { readonly key: string; readonly validatorId?: string }[];
};
export type LaunchCheckAnswer = { readonly phase?: LaunchPhase; readonly items: readonly LaunchCheckItem[] };
/** Application data in the answer to an info or a create. */
export type LaunchAnswer = {
  readonly phase: LaunchPhase;
  readonly applicationId?: string;
  readonly status?: Status & { readonly name?: string };
  readonly marks?: readonly XmlElement[];
};
