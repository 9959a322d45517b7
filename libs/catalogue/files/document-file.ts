import type { Contract } from '../../http/contract/operation.js';

/** How the file of a document is written, of which operators see nothing else. */
export interface DocumentFile<D, F extends object> {
  contract: Contract & (new () => F);
  /** What the file is, for the OpenAPI document. */
  about: string;
  /** Fills in what was left out, so that leaving a default out and writing it are the same definition. */
  definitionOf(file: F): D;
  /** The shortest file that says this: what is a default is left out. */
  fileOf(definition: D): F;
}

/** What every such file may say about its publication. */
export interface AboutPublication {
  change?: { summary?: string };
  effectiveFrom?: string;
}
