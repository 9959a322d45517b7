import type { Instant, Issue, Refusal } from '../kernel/index.js';
import type { PurposeDefinition } from './purpose-definition.js';

/** A published version of a document. */
export interface DocumentPublishedData<D> {
  definition: D;
  version: number;
  change: { from: number | null; summary: string };
  /** SHA-256 of the canonical definition, `sha256:<hex>`. A file with the same hash changes nothing. */
  definitionHash: string;
  effectiveFrom: Instant;
  publishedAt: Instant;
}

/** A document as an operator wants it. */
export interface DocumentInput<D> {
  definition: D;
  /** What changed, for the version that this file becomes. */
  summary?: string;
  effectiveFrom?: Instant;
}

/** What a document is checked against: the catalogue as if all files of the folder were published. */
export interface Surroundings {
  at: Instant;
  purposeOf(key: string): PurposeDefinition | undefined;
  /** Keys of all purposes that are not retired. */
  purposeKeys(): string[];
  documentOf<D>(kind: DocumentKind<string, string, D>): D | undefined;
}

/** A kind of document, of which a catalogue has one in versions: how to check, compare, store and name it. */
export interface DocumentKind<N extends string, Type extends string, D> {
  /** Name of the file without `.yaml`, and of the member beside `purposes` that holds it. */
  name: N;
  /** Its name in a diff. */
  object: string;
  /** Type of the event that publishes a version. */
  event: Type;
  /** For messages. */
  title: string;
  /** A member at the top of the file that identifies the kind when the file has another name. */
  mark?: string;
  /** Contradictions within the document, or with the rest of the catalogue. Paths begin at the definition. */
  contradictions(definition: D, around: Surroundings): Issue[];
  /** Refuses a document that is free of contradictions but must not be published. Paths begin at the definition. */
  forbids?(definition: D, around: Surroundings): Refusal | null;
  /** Its parts by name, each as text: a diff names those that differ. */
  partsOf(definition: D): readonly (readonly [name: string, content: string])[];
}

/** Infers the literal types of a kind. */
export const defineDocument = <const N extends string, const Type extends string, D>(
  kind: DocumentKind<N, Type, D>,
): DocumentKind<N, Type, D> => kind;
