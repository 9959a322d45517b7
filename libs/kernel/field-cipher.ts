/** Stands for a personal value whose key was destroyed. JSON shows it as null. */
export const FORGOTTEN = Object.freeze({ forgotten: true as const, toJSON: () => null, toString: () => '' });
export type Forgotten = typeof FORGOTTEN;
export const isForgotten = (value: unknown): value is Forgotten => value === FORGOTTEN;

/**
 * Seals and opens the personal fields of one subject. `field` is the place in the event (`evidence[0].uri`). It is
 * authenticated with the value, so a sealed value opens in no other place.
 */
export interface FieldCipher {
  encrypt(field: string, clear: unknown): unknown;
  decrypt(field: string, sealed: unknown): unknown | Forgotten;
  /** The subject's key is gone: nothing can be sealed any more. */
  destroyed?: boolean;
}

/** A personal value that a fold carries without reading it: the sealed text, its field and its subject. Plain JSON. */
export interface SealedValue {
  $sealed: unknown;
  at: string;
  of: string;
}

/** For folds whose state names personal values: decoding with it leaves each as a SealedValue. */
export const keepSealed = (subjectId: string): FieldCipher => ({
  encrypt: () => {
    throw new TypeError('a cipher that keeps values sealed seals none');
  },
  decrypt: (at, sealed): SealedValue => ({ $sealed: sealed, at, of: subjectId }),
});

/** Opens a SealedValue: FORGOTTEN where the key is destroyed. Any other value is returned as it is. */
export const openSealed = (value: unknown, cipherOf: (subjectId: string) => FieldCipher): unknown =>
  isSealed(value) && 'at' in value
    ? cipherOf((value as SealedValue).of).decrypt((value as SealedValue).at, value.$sealed)
    : value;

/** The mark of a sealed value. Callers cannot forge it: whatever they send in a personal field is sealed itself. */
export const SEALED = '$sealed';

export const isSealed = (value: unknown): value is { [SEALED]: unknown } =>
  typeof value === 'object' && value !== null && SEALED in value;
