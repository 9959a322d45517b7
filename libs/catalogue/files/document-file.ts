import type { Contract } from '../../http/contract/operation.js';

/** Defines the file of a document. Operators see only this form of it. */
export interface DocumentFile<D, F extends object> {
  contract: Contract & (new () => F);
  /** Description for the OpenAPI document. */
  about: string;
  /** Fills in defaults, so that a file which leaves a default out and one which writes it give the same definition. */
  definitionOf(file: F): D;
  /** The shortest file for a definition, without defaults. */
  fileOf(definition: D): F;
}

/** Members about the publication, which every such file may have. */
export interface AboutPublication {
  change?: { summary?: string };
  effectiveFrom?: string;
}
