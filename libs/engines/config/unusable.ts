/**
 * A value of a setting that cannot be used. The message says what is wrong and how to write it, and follows the name of
 * the setting. It never repeats the value, which may be a secret.
 */
export class Unusable extends Error {}
