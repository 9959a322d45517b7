import type { Instant, Issue, Refusal } from '../kernel/index.js';
import type { PurposeDefinition } from './purpose-definition.js';

/** What publishing a version of a document makes of it. */
export interface DocumentPublishedData<D> {
  definition: D;
  version: number;
  change: { from: number | null; summary: string };
  /** SHA-256 of the canonical definition, `sha256:<hex>`: what decides whether anything changed. */
  definitionHash: string;
  effectiveFrom: Instant;
  publishedAt: Instant;
}

/** What an operator wants a document to be. */
export interface DocumentInput<D> {
  definition: D;
  /** What changed, for the version this file would become. */
  summary?: string;
  effectiveFrom?: Instant;
}

/** What a document is checked against: the catalogue as it would be once all files of the folder are published. */
export interface Surroundings {
  at: Instant;
  purposeOf(key: string): PurposeDefinition | undefined;
  /** Of all purposes that are not retired. */
  purposeKeys(): string[];
  documentOf<D>(kind: DocumentKind<string, string, D>): D | undefined;
}

/** A file of which a catalogue has one, in versions: how its versions are told apart, checked, stored and named. */
export interface DocumentKind<N extends string, Type extends string, D> {
  /** Of the file, without `.yaml`, and of the member beside `purposes` that holds it. */
  name: N;
  /** What a diff calls it. */
  object: string;
  /** Type of the event that publishes a version. */
  event: Type;
  /** For messages. */
  title: string;
  /** A member at the top of the file by which it is known under another name too. */
  mark?: string;
  /** What it says against itself or the rest of the catalogue. Paths begin at the definition. */
  contradictions(definition: D, around: Surroundings): Issue[];
  /** Why it may not be published although it contradicts nothing. Paths begin at the definition. */
  forbids?(definition: D, around: Surroundings): Refusal | null;
  /** Its parts by name, each as text: a diff names those that differ. */
  partsOf(definition: D): readonly (readonly [name: string, content: string])[];
}

/** Infers the literal types of a kind. */
export const defineDocument = <const N extends string, const Type extends string, D>(
  kind: DocumentKind<N, Type, D>,
): DocumentKind<N, Type, D> => kind;
