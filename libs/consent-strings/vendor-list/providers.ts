/** One of Google's ad technology providers that is no vendor of IAB TCF. */
export interface AdTechProvider {
  /** From 1. */
  id: number;
  name: string;
  /** '' if the list names none. */
  policyUrl: string;
  domains: string[];
}

/** A list of ad technology providers: Google's own, or the synthetic one. */
export interface ProviderList {
  /** First 16 digits of the SHA-256 of the file, hex: Google numbers no versions. */
  version: string;
  isSynthetic: boolean;
  /** By id, ascending: all providers that additional consent strings may name. */
  providers: ReadonlyMap<number, AdTechProvider>;
}

/** Injection token of the ProviderList. */
export const PROVIDER_LIST = Symbol('ProviderList');
